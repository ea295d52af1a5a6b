import type { Decimal } from './decimal.js';
import type { PairSymbols } from './market-pair.js';

/** A price of a pair, and what the pair did since the tick before it. */
export interface MarketTick {
  pair: PairSymbols;
  /** In quote units. */
  price: Decimal;
  /** The extremes after the tick before, this price included; the price of the tick before is not. */
  high: Decimal;
  low: Decimal;
  /** What was traded after the tick before, in base units; null where the market does not tell. */
  volume: Decimal | null;
  /** The time of the tick before, in ms since 1970; equal to `at` for the first one. */
  since: number;
  /** The time of the price, in ms since 1970. */
  at: number;
}
