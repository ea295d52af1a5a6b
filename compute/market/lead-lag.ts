import { correlationInterval, correlationIntervalFields } from '../metrics/correlation-interval.js';
import { normalQuantile } from '../metrics/normal.js';
import { mean } from '../metrics/returns.js';
import { field, type Value } from '../model/field.js';
import { nullReason } from '../model/null-reason.js';

/** The largest lag, in candles, at which the returns of two series are compared. */
const furthest = 10;

const lagCorrelation = (text: string) =>
  field.object(text, {
    lag: field.integer('lag of the first behind the second', { unit: 'candles' }),
    count: field.count('pairs of returns'),
    ...correlationIntervalFields,
  });

export type LagCorrelation = Value<ReturnType<typeof lagCorrelation>>;

export const leadLagField = field.object('whether one series leads the other', {
  lags: field.list(
    'lags from -10 to 10',
    lagCorrelation('correlation of first[t] with second[t - lag]: at a positive lag the second leads'),
  ),
  best: field.nullable(lagCorrelation('the lag with the largest correlation, whatever its sign')),
  strongestLead: field.nullable(lagCorrelation('the same among the lags other than 0')),
  limit: field.nullable(
    field.number(
      'in 5 % of series without a lead the strongest is beyond this; wider where both series are turbulent at the same times',
    ),
  ),
  standsOut: field.flag('whether the strongest lead is beyond the limit'),
  leader: field.nullable(
    field.choice('the series that leads; null where no lead stands out', ['first', 'second']),
  ),
  reason: nullReason,
});

export type LeadLag = Value<typeof leadLagField>;

/**
 * Cross-correlation of equally long returns. `best` is the lag with the largest correlation, whatever its sign,
 * `strongestLead` the same among the lags other than 0. One lag of twenty is beyond its own 95 % interval by chance, so
 * a lead has to be beyond the quantile 1 - 5 % / 20 of a normal distribution (Bonferroni), whose deviation is that of a
 * correlation of returns whose volatility may change, also in common: sqrt(sum a^2 b^2 / (sum a^2 sum b^2)) (White,
 * Econometrica 48, 1980); 1 / sqrt(n) where it does not. Assumes returns without autocorrelation; Box, Jenkins and
 * Reinsel, Time Series Analysis, 12.1.
 */
export function leadLag(first: Float64Array, second: Float64Array): LeadLag {
  const lags = Array.from({ length: 2 * furthest + 1 }, (_, n) => correlationAt(first, second, n - furthest));
  const others = lags.filter(({ lag }) => lag !== 0);
  const strongestLead = strongest(others);
  const limit =
    strongestLead &&
    normalQuantile(1 - 0.025 / others.length) * correlationError(...atLag(first, second, strongestLead.lag));
  const standsOut = limit !== null && Math.abs(strongestLead!.correlation!) > limit;
  const ahead = standsOut && strongestLead!.lag > 0 ? 'second' : 'first';
  const whyNoLeader = standsOut ? null : 'no lead is beyond the limit';
  const reason = strongestLead ? whyNoLeader : 'one of the two prices does not move';
  const leader = standsOut ? ahead : null;
  return { lags, best: strongest(lags), strongestLead, limit, standsOut, leader, reason };
}

/** The returns that stand side by side at a lag. */
function atLag(first: Float64Array, second: Float64Array, lag: number): [a: Float64Array, b: Float64Array] {
  const count = Math.max(0, first.length - Math.abs(lag));
  const from = Math.max(0, lag);
  return [first.subarray(from, from + count), second.subarray(from - lag, from - lag + count)];
}

function correlationAt(first: Float64Array, second: Float64Array, lag: number): LagCorrelation {
  const [a, b] = atLag(first, second, lag);
  return { lag, count: a.length, ...correlationInterval(a, b) };
}

/** The standard error of the correlation of a and b if the true one is 0. */
function correlationError(a: Float64Array, b: Float64Array): number {
  const [meanA, meanB] = [mean(a), mean(b)];
  let [aa, bb, both] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [squareA, squareB] = [(a[i] - meanA) ** 2, (b[i] - meanB) ** 2];
    aa += squareA;
    bb += squareB;
    both += squareA * squareB;
  }
  return Math.sqrt(both / (aa * bb));
}

function strongest(lags: readonly LagCorrelation[]): LagCorrelation | null {
  const size = ({ correlation }: LagCorrelation) => Math.abs(correlation ?? 0);
  const known = lags.filter(({ correlation }) => correlation !== null);
  return known.reduce<LagCorrelation | null>(
    (best, each) => (best && size(best) >= size(each) ? best : each),
    null,
  );
}
