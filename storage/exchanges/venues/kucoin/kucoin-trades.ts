import type { kucoin as Kucoin, Trade } from 'ccxt';
import { inAccount } from '../../in-account.js';
import type { SymbolRef } from '../../venue-trading.js';

/** The longest span of time of one request. */
const windowMs = 7 * 86_400_000;
/** Older trades are not kept. */
const historyMs = 180 * 86_400_000;
const pageSizes = { SPOT: 100, MARGIN: 100, FUTURES: 1_000 } as const;

type MarketRef = Omit<SymbolRef, 'clientOrderId'>;

/** The trades of an order. */
export const tradesOfKucoinOrder = (client: Kucoin, ref: MarketRef, orderId: string): Promise<Trade[]> =>
  pagesOf(client, ref, undefined, { orderId });

/** The trades of a market since a time. */
export async function kucoinTradesSince(client: Kucoin, ref: MarketRef, sinceMs: number): Promise<Trade[]> {
  const trades: Trade[] = [];
  const nowMs = client.milliseconds();
  for (let fromMs = Math.max(sinceMs, nowMs - historyMs); fromMs <= nowMs; fromMs += windowMs) {
    // The clock of the exchange may be ahead: the last span is open.
    const span = fromMs + windowMs > nowMs ? {} : { until: fromMs + windowMs - 1 };
    trades.push(...(await pagesOf(client, ref, fromMs, span)));
  }
  return trades;
}

/** All pages of a list: on spot and margin the next one begins after the last row, on futures it has a number. */
async function pagesOf(
  client: Kucoin,
  { symbol, ...place }: MarketRef,
  sinceMs: number | undefined,
  params: object,
): Promise<Trade[]> {
  const trades: Trade[] = [];
  const { account } = place;
  const pageSize = pageSizes[account];
  for (let number = 1, lastId = '', size: number = pageSize; size === pageSize; number++) {
    const from = account === 'FUTURES' ? { currentPage: number } : { ...(lastId !== '' && { lastId }) };
    const page = await client.fetchMyTrades(symbol, sinceMs, pageSize, {
      ...inAccount(place),
      ...params,
      ...from,
      // Pages of futures have another name for it in ccxt.
      ...(account !== 'FUTURES' && { limit: pageSize }),
    });
    trades.push(...page);
    lastId = lowestRowId(page);
    size = page.length;
  }
  return trades;
}

/** Rows of high-frequency accounts have numbers that fall from page to page. Empty for other rows. */
export const lowestRowId = (page: readonly Trade[]): string =>
  page
    .map(({ info }) => (info as { id?: string | number }).id)
    .filter((id) => id !== undefined)
    .map((id) => BigInt(id))
    .reduce((least: bigint | null, id) => (least === null || id < least ? id : least), null)
    ?.toString() ?? '';
