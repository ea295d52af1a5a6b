import { field, type Values } from '../model/field.js';
import { effectiveCount } from '../metrics/effective-count.js';
import { studentQuantile } from '../metrics/mean-interval.js';
import { proportionInterval } from '../metrics/proportion-interval.js';
import { quantile } from '../metrics/quantile.js';
import { mean } from '../metrics/returns.js';
import { standardDeviation } from '../metrics/standard-deviation.js';
import type { FirstTouches } from './first-touch.js';

const percentOrNull = (text: string) => field.nullable(field.number(text, { unit: 'percent' }));
const multipleOrNull = (text: string) => field.nullable(field.number(text, { unit: 'r' }));
const candlesOrNull = (text: string) => field.nullable(field.number(text, { unit: 'candles' }));

/** Results of an order from many past candles; null without any start. */
export const touchFields = {
  count: field.count('starts in the sample'),
  independent: field.number('as how many independent starts they count, since they overlap'),
  targetPercent: percentOrNull('share of starts that touched the target before the stop'),
  targetLowPercent: percentOrNull('lower end of the 95 % interval of that share (Wilson)'),
  targetHighPercent: percentOrNull('upper end of that interval'),
  stopPercent: percentOrNull('share of starts that touched the stop first'),
  neitherPercent: percentOrNull('share of starts that touched neither in time'),
  expectedR: multipleOrNull('mean gain before costs'),
  expectedRLow: multipleOrNull('lower end of its 95 % interval; null below two independent starts'),
  expectedRHigh: multipleOrNull('upper end of that interval'),
  medianCandlesToTarget: candlesOrNull('median time to the target of the starts that touched it'),
  medianCandlesToStop: candlesOrNull('median time to the stop of the starts that touched it'),
};

export type TouchStatistics = Values<typeof touchFields>;

/**
 * The results of the orders that `isCounted` accepts by their number. Order 0 was entered at the close of candle `from`
 * of `size` candles.
 */
export function touchStatistics(
  touches: FirstTouches,
  isCounted: (n: number) => boolean,
  { from, size }: { from: number; size: number },
): TouchStatistics {
  const counted = new Int32Array(touches.outcome.length);
  let count = 0;
  for (let n = 0; n < counted.length; n++) if (isCounted(n)) counted[count++] = n;
  const starts = counted.subarray(0, count);
  const candles = starts.map((n) => touches.candles[n]);
  const outcomes = starts.map((n) => touches.outcome[n]);
  const multiples = Float64Array.from(starts, (n) => touches.multiple[n]);
  // A trade lasts from the candle after its start.
  const firsts = starts.map((n) => from + n + 1);
  const independent = Math.min(count, Math.max(1, Math.floor(effectiveCount(firsts, candles, size))));
  const lastedOf = (outcome: number) => Float64Array.from(candles.filter((_, k) => outcomes[k] === outcome));
  const [toTarget, toStop] = [lastedOf(1), lastedOf(-1)];
  const share = (part: number) => (count === 0 ? null : (part / count) * 100);
  const won = count === 0 ? 0 : (toTarget.length / count) * independent;
  const { low, high } = proportionInterval(won, independent);
  const expectedR = count === 0 ? null : mean(multiples);
  const reach =
    independent < 2
      ? null
      : (studentQuantile(independent - 1) * standardDeviation(multiples)) / Math.sqrt(independent);
  return {
    count,
    independent,
    targetPercent: share(toTarget.length),
    targetLowPercent: low === null ? null : low * 100,
    targetHighPercent: high === null ? null : high * 100,
    stopPercent: share(toStop.length),
    neitherPercent: share(count - toTarget.length - toStop.length),
    expectedR,
    expectedRLow: reach === null ? null : expectedR! - reach,
    expectedRHigh: reach === null ? null : expectedR! + reach,
    medianCandlesToTarget: middle(toTarget),
    medianCandlesToStop: middle(toStop),
  };
}

const middle = (values: Float64Array): number | null =>
  values.length === 0 ? null : quantile(values.sort(), 0.5);
