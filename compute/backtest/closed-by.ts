import { firstCandleFrom, sliceCandles, type Candles } from '../model/candles.js';
import { field } from '../model/field.js';
import { intervalMs, type Interval } from '../model/interval.js';

/** The end of a window in the past. */
export const untilField = field.nullable(field.time('only candles that had closed by then, UTC; null: all'), {
  default: null,
});

/** The candles that had closed by a time; all of them for null. */
export function closedBy(candles: Candles, interval: Interval, untilMs: number | null): Candles {
  if (untilMs === null) return candles;
  const end = firstCandleFrom(candles.time, untilMs - intervalMs(interval) + 1);
  return end === candles.time.length ? candles : sliceCandles(candles, 0, end);
}
