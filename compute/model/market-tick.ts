import type { Decimal } from './decimal.js';
import type { PairSymbols } from './market-pair.js';

/** A price of a pair, and what happened since the previous tick. */
export interface MarketTick {
  pair: PairSymbols;
  /** In quote units. */
  price: Decimal;
  /** The highest price after the previous tick, this one included. The price of the previous tick does not count. */
  high: Decimal;
  /** The lowest, as `high`. */
  low: Decimal;
  /** What was traded after the previous tick, in base units; null if the market does not report it. */
  volume: Decimal | null;
  /** The time of the previous tick, in ms since 1970; equal to `at` for the first one. */
  since: number;
  /** The time of the price, in ms since 1970. */
  at: number;
}
