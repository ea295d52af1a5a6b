import type { Trade } from 'ccxt';
import { maxPages, type ReadTrades } from './read-trades.js';

export interface TradesByIdOptions {
  /** The largest page that the exchange serves. */
  pageSize: number;
  /** The parameters of a request for the trades from an id on. */
  paramsFrom: (id: string) => object;
}

/**
 * Paging for exchanges whose trade ids increase within a pair and that list trades from an id on. The whole history is read.
 * The cursor is the id after the last trade.
 */
export const tradesById =
  ({ pageSize, paramsFrom }: TradesByIdOptions): ReadTrades =>
  async (ask, cursor) => {
    const trades: Trade[] = [];
    let next = BigInt(cursor ?? 0);
    for (let pages = 0; pages < maxPages; pages++) {
      const page = await ask(undefined, pageSize, paramsFrom(String(next)));
      trades.push(...page);
      for (const { id } of page) if (BigInt(id!) >= next) next = BigInt(id!) + 1n;
      if (page.length < pageSize) return { trades, cursor: String(next) };
    }
    return null;
  };
