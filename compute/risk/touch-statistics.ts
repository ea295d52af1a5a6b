import { field, type Values } from '../model/field.js';
import { nullReason, reasonsOf } from '../model/null-reason.js';
import { studentQuantile } from '../metrics/student.js';
import { proportionInterval } from '../metrics/mean-interval.js';
import { quantile } from '../metrics/quantile.js';
import { mean } from '../metrics/returns.js';
import { standardDeviation } from '../metrics/moments.js';
import { varianceOfSum } from '../metrics/correlated-share.js';
import type { FirstTouches } from './first-touch.js';

const percentOrNull = (text: string) => field.nullable(field.number(text, { unit: 'percent' }));
const multipleOrNull = (text: string) => field.nullable(field.number(text, { unit: 'r' }));
const candlesOrNull = (text: string) => field.nullable(field.number(text, { unit: 'candles' }));

/** Results of an order from many past candles; null without any start. */
export const touchFields = {
  count: field.count('starts in the sample'),
  independent: field.number(
    'number of independent starts that would measure the share as exactly; usually lower than `count`, because starts overlap',
  ),
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
  reason: nullReason,
};

export type TouchStatistics = Values<typeof touchFields>;

/** How the intervals are made, for readers of the answer. */
export const touchMethod =
  'intervals: Wilson and Student with the number of independent starts; that is count x sum(L) / sum(c^2), for L candles in a trade and c trades open at a candle, or what Newey and West (1987) find over twice the longest trade, if that is less';

/** Which orders were followed: order 0 was entered at the close of candle `from` of `size`, for at most `limit`. */
interface Followed {
  from: number;
  size: number;
  limit: number;
}

/** The results of the orders that `isCounted` accepts by their number. */
export function touchStatistics(
  touches: FirstTouches,
  isCounted: (n: number) => boolean,
  followed: Followed,
): TouchStatistics {
  const starts = startsWhere(touches.outcome.length, isCounted);
  const count = starts.length;
  const candles = starts.map((n) => touches.candles[n]);
  const outcomes = starts.map((n) => touches.outcome[n]);
  const multiples = Float64Array.from(starts, (n) => touches.multiple[n]);
  // A trade lasts from the candle after its start.
  const firsts = starts.map((n) => followed.from + n + 1);
  const apart = effectiveCount(firsts, candles, followed.size);
  const independentFor = (values: Float64Array) =>
    Math.min(apart, independentByVariance(values, starts, followed));
  const lastedOf = (outcome: number) => Float64Array.from(candles.filter((_, k) => outcomes[k] === outcome));
  const [toTarget, toStop] = [lastedOf(1), lastedOf(-1)];
  const share = (part: number) => (count === 0 ? null : (part / count) * 100);
  const hits = new Float64Array(count);
  for (let k = 0; k < count; k++) hits[k] = Number(outcomes[k] === 1);
  const independent = Math.floor(independentFor(hits));
  const won = count === 0 ? 0 : (toTarget.length / count) * independent;
  const { low, high } = proportionInterval(won, independent);
  const expectedR = count === 0 ? null : mean(multiples);
  const gains = Math.floor(independentFor(multiples));
  const reach =
    gains < 2 ? null : (studentQuantile(gains - 1) * standardDeviation(multiples)) / Math.sqrt(gains);
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
    medianCandlesToTarget: medianOrNull(toTarget),
    medianCandlesToStop: medianOrNull(toStop),
    reason: reasonOf({ count, gains, toTarget: toTarget.length, toStop: toStop.length }),
  };
}

type Found = Record<'count' | 'gains' | 'toTarget' | 'toStop', number>;

function reasonOf({ count, gains, toTarget, toStop }: Found): string | null {
  if (count === 0) return 'there are no starts';
  return reasonsOf(
    gains < 2 && 'the interval of the gain needs two independent starts',
    toTarget === 0 && 'no start touched the target',
    toStop === 0 && 'no start touched the stop',
  );
}

function startsWhere(count: number, isCounted: (n: number) => boolean): Int32Array {
  const starts = new Int32Array(count);
  let found = 0;
  for (let n = 0; n < count; n++) if (isCounted(n)) starts[found++] = n;
  return starts.subarray(0, found);
}

/**
 * The number of independent starts whose mean would vary as much as that of these values does by their own correlations:
 * more than overlap explains where the market drifts for longer than a trade lasts. At least 1, at most all.
 */
function independentByVariance(
  values: Float64Array,
  starts: Int32Array,
  { from, size, limit }: Followed,
): number {
  const count = values.length;
  if (count < 2) return count;
  const average = mean(values);
  const deviations = new Float64Array(size - from);
  let variance = 0;
  for (let k = 0; k < count; k++) {
    const deviation = values[k] - average;
    deviations[starts[k]] = deviation;
    variance += deviation * deviation;
  }
  const ofSum = varianceOfSum(deviations, 2 * limit + 1);
  // Values that do not vary have no correlation.
  return ofSum > 0 ? Math.min(count, Math.max(1, (count * variance) / ofSum)) : count;
}

const medianOrNull = (values: Float64Array): number | null =>
  values.length === 0 ? null : quantile(values.sort(), 0.5);

/**
 * The number of independent cases that overlapping ones are worth: count x sum(lengths) / sum(c^2), where c is how many
 * cases share a candle. The price of every candle counts in the sum of c cases, so the variance of the sum grows with
 * c^2; on a price without drift this is exact for the mean gain of cases that end by a rule. Case k covers `lengths[k]`
 * candles, at least one, from index `starts[k]` on; all indexes are below `size`. 0 without cases. It is Kish's design
 * effect (Survey Sampling, 1965) with the covariances of stopped sums (Wald, 1944).
 */
export function effectiveCount(starts: Int32Array, lengths: Int32Array, size: number): number {
  if (starts.length === 0) return 0;
  const changes = new Int32Array(size + 1);
  let lasted = 0;
  for (let k = 0; k < starts.length; k++) {
    changes[starts[k]]++;
    changes[starts[k] + lengths[k]]--;
    lasted += lengths[k];
  }
  let [alive, squares] = [0, 0];
  for (let i = 0; i < size; i++) {
    alive += changes[i];
    squares += alive * alive;
  }
  return (starts.length * lasted) / squares;
}
