import type { Candles } from '../../../compute/model/candles.js';
import type { Interval } from '../../../compute/model/interval.js';

/** How many candles are drawn, of which length, and with which seed. */
export interface Draw {
  count: number;
  interval: Interval;
  seed: number;
}

/** A market whose law is known: the same draw gives the same candles. */
export interface MarketProcess {
  name: string;
  /** Whether the returns of different candles are independent. The bounds of intervals are narrower there. */
  isIndependent: boolean;
  /** Expected simple return of one candle, as a fraction. */
  meanReturn: number;
  /** The candles of each asset, without gaps unless the process is about gaps. */
  draw: (draw: Draw) => Candles[];
}

/** Standard deviation of the log returns of a market that moves 3 % a day. */
export const usualDeviation: Readonly<Record<Interval, number>> = {
  '1h': 0.03 / Math.sqrt(24),
  '4h': 0.03 / Math.sqrt(6),
  '1d': 0.03,
};
