import type { PairSymbols } from './market-pair.js';

/** The last price of a pair. */
export interface Price {
  price: number;
  /** Change since 24 hours before, in percent; null if it is not known. */
  change24hPercent: number | null;
  /** Time of the trade or quote, in ms, UTC. */
  time: number;
}

export type PriceTick = Price & PairSymbols;
