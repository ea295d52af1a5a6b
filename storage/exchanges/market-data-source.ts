import type { PriceTick } from '../../compute/model/price.js';
import type { PairSymbols } from '../../compute/model/market-pair.js';

/** A pair on the spot market of an exchange; `active`: it is traded now. */
export type ListedPair = PairSymbols & { active: boolean };

/**
 * Candles and prices of one exchange. Each method throws `exchange_unavailable` when the exchange does not serve,
 * `exchange_refused` when it does not accept the request, `redis_unavailable` when the shared request budget cannot be read,
 * and `cancelled`.
 */
export interface MarketDataSource {
  readonly id: string;
  /** The largest number of hours in one answer. */
  readonly pageHours: number;
  /** The earlier of this machine's time and the exchange's, in ms, so that no hour counts as closed too early. */
  clock(): number;
  pairs(): Promise<ListedPair[]>;
  /**
   * Unchecked rows of 1h candles from `fromMs` on, `limit` at most. They may start later than `fromMs`, have gaps and end
   * with an hour that is not closed.
   */
  hours(pair: PairSymbols, fromMs: number, limit: number): Promise<unknown[]>;
  /** The last prices, in one request. */
  ticks(pairs: readonly PairSymbols[]): Promise<PriceTick[]>;
  /** The turnover of the last 24 h in units of the quote currency, by pair name. */
  turnover(quote: string): Promise<Map<string, number>>;
}
