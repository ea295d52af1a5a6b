import type { PriceTick } from '../../compute/model/price.js';
import type { PairSymbols } from '../../compute/model/market-pair.js';

/** A pair that an exchange lists on its spot market; `active`: it is traded now. */
export type ListedPair = PairSymbols & { active: boolean };

/**
 * Where candles and prices are fetched from. Every question throws `exchange_unavailable` when the exchange does not
 * serve, `exchange_refused` when it does not accept this question, `redis_unavailable` when nobody can tell whether it
 * may be asked, and `cancelled`.
 */
export interface CandleSource {
  readonly id: string;
  /** The most hours one answer holds. */
  readonly pageHours: number;
  /** The time in ms at which no hour is taken for over too early: this clock or the exchange's, which is behind. */
  clock(): number;
  pairs(): Promise<ListedPair[]>;
  /**
   * Rows of 1h candles as the exchange has them, unchecked, from `fromMs` on: at most `limit`; they may begin later, be
   * fewer and end with an hour that is not over.
   */
  hours(pair: PairSymbols, fromMs: number, limit: number): Promise<unknown[]>;
  /** The last prices, in one request. */
  ticks(pairs: readonly PairSymbols[]): Promise<PriceTick[]>;
  /** What was traded in 24 h in units of the quote currency, by name of the pair. */
  turnover(quote: string): Promise<Map<string, number>>;
}
