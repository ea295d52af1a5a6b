import type { bybit as Bybit, Trade } from 'ccxt';
import type { ForcedClose } from '../../../../compute/signals/execution.js';

const pageSize = 100;
/** The longest span of time of one request. */
const windowMs = 7 * 86_400_000;
/** Older trades are not kept. */
const historyMs = 730 * 86_400_000;

export interface BybitTradesTerms {
  symbol: string;
  sinceMs: number;
  /** Further parameters, such as the id of an order. */
  params?: object;
}

/** "Position closed by contract delisted" and the others: "execType", https://bybit-exchange.github.io/docs/v5/enum#exectype. */
const forcedKinds: Readonly<Record<string, ForcedClose>> = {
  AdlTrade: 'deleveraging',
  BustTrade: 'liquidation',
  Delivery: 'settlement',
  Settle: 'settlement',
};
/** Executions that are trades: others, such as funding, are listed with them. */
const tradeKinds = new Set(['Trade', ...Object.keys(forcedKinds)]);

/** The trades of a market since a time. */
export async function bybitTrades(
  client: Bybit,
  { symbol, sinceMs, params = {} }: BybitTradesTerms,
): Promise<Trade[]> {
  const trades: Trade[] = [];
  const nowMs = client.milliseconds();
  // The clock of the exchange may be ahead: the last span is open.
  for (let fromMs = Math.max(sinceMs, nowMs - historyMs); fromMs <= nowMs; fromMs += windowMs) {
    const isLast = fromMs + windowMs > nowMs;
    const span = isLast ? {} : { until: fromMs + windowMs - 1 };
    trades.push(...(await tradesOfSpan(client, symbol, fromMs, { ...params, ...span })));
  }
  return trades.filter(({ info }) => isTrade(info as ExecutionInfo)).map(withFeeAsset);
}

async function tradesOfSpan(client: Bybit, symbol: string, fromMs: number, params: object): Promise<Trade[]> {
  const trades: Trade[] = [];
  for (let cursor = '', size = pageSize; size === pageSize;) {
    const page = await client.fetchMyTrades(symbol, fromMs, pageSize, {
      ...params,
      execType: undefined,
      ...(cursor !== '' && { cursor }),
    });
    trades.push(...page);
    cursor = cursorAfter(page);
    size = cursor === '' ? 0 : page.length;
  }
  return trades;
}

/** The cursor of the next page; empty if there is none. ccxt puts it into one of the rows. */
export function cursorAfter(page: readonly Trade[]): string {
  const infos = page.map(({ info }) => info as ExecutionInfo);
  return infos.find(({ nextPageCursor }) => nextPageCursor !== undefined)?.nextPageCursor ?? '';
}

interface ExecutionInfo {
  execType?: string;
  feeCurrency?: string;
  nextPageCursor?: string;
}

/** Why the exchange closed a position by the trade; undefined if it did not. */
export const bybitClosedBy = ({ info }: Trade): ForcedClose | undefined =>
  forcedKinds[(info as ExecutionInfo).execType ?? 'Trade'];

const isTrade = ({ execType = 'Trade' }: ExecutionInfo): boolean => tradeKinds.has(execType);

/** ccxt takes the fee of a trade on spot for one in an asset of the pair. */
function withFeeAsset(trade: Trade): Trade {
  const { feeCurrency = '' } = trade.info as ExecutionInfo;
  if (feeCurrency === '' || !trade.fee) return trade;
  const fee = { ...trade.fee, currency: feeCurrency };
  return { ...trade, fee, fees: [fee] } as Trade;
}
