import type { SeriesQuestion } from '../task.js';
import { intervalMs } from '../model/interval.js';

/** The candle that a reading of one pair stands on. */
export interface ReadAt {
  /** Close time of the last candle in ms, UTC: what the reading knows ends there. */
  asOf: number;
  /** Close of the last candle. */
  price: number;
  /** How many closed candles were read. */
  candles: number;
}

export function readAt({ candles, interval }: SeriesQuestion): ReadAt {
  const last = candles.time.length - 1;
  return { asOf: candles.time[last] + intervalMs(interval), price: candles.close[last], candles: last + 1 };
}

/** How far a value lies above (or, negative, below) a base, in percent of the base; null where that is 0. */
export const percentFrom = (base: number, value: number): number | null =>
  base === 0 ? null : (value / base - 1) * 100;

/** The number, or null where there is none yet. */
export const known = (value: number): number | null => (Number.isFinite(value) ? value : null);
