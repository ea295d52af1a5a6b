import { field, type Values } from '../model/field.js';
import { intervalMs } from '../model/interval.js';
import type { SeriesQuestion } from '../task.js';

/** The candle at which one series is read. */
export const readAtFields = {
  asOf: field.time('close time of the last candle, where the reading ends'),
  price: field.number('close of the last candle', { unit: 'quote' }),
  candles: field.count('closed candles that were read', { unit: 'candles' }),
};

export type ReadAt = Values<typeof readAtFields>;

export function readAt({ candles, interval }: SeriesQuestion): ReadAt {
  const last = candles.time.length - 1;
  return { asOf: candles.time[last] + intervalMs(interval), price: candles.close[last], candles: last + 1 };
}

/** The distance of a value from a base in percent of the base, negative below it; null where the base is 0. */
export const percentFrom = (base: number, value: number): number | null =>
  base === 0 ? null : (value / base - 1) * 100;

/** The number, or null for NaN, which stands before a warm-up. */
export const known = (value: number): number | null => (Number.isFinite(value) ? value : null);
