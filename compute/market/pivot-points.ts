import { firstCandleFrom } from '../model/candles.js';
import { field, type Value } from '../model/field.js';
import { intervalMs } from '../model/interval.js';
import type { SeriesQuestion } from '../task.js';

export const pivotPointsField = field.object(
  'classic pivot points of the last whole day or week; null before there is one',
  {
    period: field.choice('day on 1h, week on 4h and 1d', ['day', 'week']),
    from: field.time('start of the period from which they are computed'),
    levels: field.list(
      'the pivot, three resistances and three supports',
      field.object('a level', {
        name: field.choice('name of the level', ['P', 'R1', 'R2', 'R3', 'S1', 'S2', 'S3']),
        price: field.number('price of the level', { unit: 'quote' }),
      }),
    ),
  },
);

export type PivotPoints = Value<typeof pivotPointsField>;

const dayMs = 86_400_000;

/** Days start at midnight and weeks on Monday, UTC. The first Monday after the epoch is its fifth day. */
const periods = {
  day: { ms: dayMs, startMs: 0 },
  week: { ms: 7 * dayMs, startMs: 4 * dayMs },
} as const;

/**
 * Classic pivot points from high, low and close of the last UTC day or week that is over: P = (H + L + C) / 3,
 * R1 = 2 P - L, S1 = 2 P - H, R2 = P + (H - L), S2 = P - (H - L), R3 = H + 2 (P - L), S3 = L - 2 (H - P). Null where
 * the history does not hold that period from its start.
 */
export function findPivotPoints({ candles, interval }: SeriesQuestion): PivotPoints | null {
  const { time, high, low, close } = candles;
  const period = interval === '1h' ? 'day' : 'week';
  const { ms, startMs } = periods[period];
  const asOf = time[time.length - 1] + intervalMs(interval);
  const end = Math.floor((asOf - startMs) / ms) * ms + startMs;
  const from = end - ms;
  const first = firstCandleFrom(time, from);
  const next = firstCandleFrom(time, end);
  if (time[0] > from || first === next) return null;
  const H = high.subarray(first, next).reduce((most, price) => Math.max(most, price), -Infinity);
  const L = low.subarray(first, next).reduce((least, price) => Math.min(least, price), Infinity);
  const P = (H + L + close[next - 1]) / 3;
  return {
    period,
    from,
    levels: [
      { name: 'P', price: P },
      { name: 'R1', price: 2 * P - L },
      { name: 'R2', price: P + (H - L) },
      { name: 'R3', price: H + 2 * (P - L) },
      { name: 'S1', price: 2 * P - H },
      { name: 'S2', price: P - (H - L) },
      { name: 'S3', price: L - 2 * (H - P) },
    ],
  };
}
