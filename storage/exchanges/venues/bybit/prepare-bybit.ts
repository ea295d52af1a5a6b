import type { bybit as Bybit } from 'ccxt';
import type { MarginMode } from '../../../../compute/model/trading-account.js';
import type { VenueOrder } from '../../trading-venue.js';
import { exchangeRefused } from '../../venue-answers.js';

/** The margin mode of an account in Bybit's words. */
const modes: Record<MarginMode, string> = { CROSS: 'REGULAR_MARGIN', ISOLATED: 'ISOLATED_MARGIN' };

/** Readies a position for an order that may open it. Throws `exchange_refused` with what the user can do. */
export async function prepareBybit(
  client: Bybit,
  { account, leverage, marginMode }: VenueOrder,
  symbol: string,
): Promise<void> {
  if (account === 'MARGIN') return prepareBorrowing(client, { leverage, marginMode });
  await requireMode(client, marginMode);
  await client.setLeverage(leverage, symbol).catch(unless('110043'));
}

/** Requires that spot margin is on, and raises its leverage to that of the order. It never lowers the leverage. */
async function prepareBorrowing(
  client: Bybit,
  { leverage, marginMode }: Pick<VenueOrder, 'leverage' | 'marginMode'>,
): Promise<void> {
  if (marginMode === 'ISOLATED') throw exchangeRefused('bybit has no isolated margin on spot; use CROSS');
  const { result = {} } = (await client.privateGetV5SpotMarginTradeState()) as MarginState;
  if (result.spotMarginMode !== '1')
    throw exchangeRefused('margin trading on spot is off in the account on bybit; switch it on there');
  if (Number(result.spotLeverage) < leverage)
    await client.privatePostV5SpotMarginTradeSetLeverage({ leverage: String(leverage) });
}

/** Sets the margin mode. The mode applies to every position of the account, so it is changed only while there is none. */
async function requireMode(client: Bybit, wanted: MarginMode): Promise<void> {
  const { result } = (await client.privateGetV5AccountInfo()) as { result?: { marginMode?: string } };
  const mode = result?.marginMode;
  // Portfolio margin is a kind of cross margin.
  if (mode === modes[wanted] || (wanted === 'CROSS' && mode === 'PORTFOLIO_MARGIN')) return;
  if (await hasPosition(client))
    throw exchangeRefused(
      `the signal asks for ${wanted} margin, and the account on bybit has another mode for all of its positions; close them first`,
    );
  await client.privatePostV5AccountSetMarginMode({ setMarginMode: modes[wanted] });
}

/** "Get Position Info" (docs/v5/position): linear positions are listed by the coin that they settle in. */
const positionLists = [
  { category: 'linear', settleCoin: 'USDT' },
  { category: 'linear', settleCoin: 'USDC' },
  { category: 'inverse' },
  { category: 'option' },
];

/** Whether the account has a position anywhere. One that the key may not read counts as standing. */
async function hasPosition(client: Bybit): Promise<boolean> {
  const lists = positionLists.map(async (asked) => {
    const { result } = (await client.privateGetV5PositionList(asked)) as PositionList;
    return (result?.list ?? []).some(({ size }) => Number(size) !== 0);
  });
  const found = lists.map((each) =>
    each.catch((error: unknown) => {
      if (codeOf(error) === '10005') return true;
      throw error;
    }),
  );
  return (await Promise.all(found)).includes(true);
}

interface PositionList {
  result?: { list?: { size?: string }[] };
}

interface MarginState {
  result?: { spotMarginMode?: string; spotLeverage?: string };
}

/** Ignores the error of an answer with this code, and throws any other. */
const unless =
  (code: string) =>
  (error: unknown): void => {
    if (codeOf(error) !== code) throw error;
  };

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error ? /"retCode":\s*"?(\d+)/.exec(error.message)?.[1] : undefined;
