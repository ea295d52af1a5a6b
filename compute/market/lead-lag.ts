import { correlation } from '../metrics/correlation.js';
import { correlationInterval, correlationIntervalFields } from '../metrics/correlation-interval.js';
import { normalQuantile } from '../metrics/normal.js';
import { field, type Value } from '../model/field.js';

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
    field.number('5 % of series without a lead have a larger correlation than this at some lag other than 0'),
  ),
  standsOut: field.flag('whether the strongest lead is beyond the limit'),
  leader: field.nullable(
    field.choice('the series that leads; null where no lead stands out', ['first', 'second']),
  ),
});

export type LeadLag = Value<typeof leadLagField>;

/**
 * Cross-correlation of equally long returns. `best` is the lag with the largest correlation, whatever its sign,
 * `strongestLead` the same among the lags other than 0. One lag of twenty is beyond its own 95 % interval by chance, so
 * a lead has to be beyond the quantile 1 - 5 % / 20 of a normal distribution with deviation 1 / sqrt(n) (Bonferroni).
 * Assumes returns without autocorrelation; Box, Jenkins and Reinsel, Time Series Analysis, 12.1.
 */
export function leadLag(first: Float64Array, second: Float64Array): LeadLag {
  const lags = Array.from({ length: 2 * furthest + 1 }, (_, n) => atLag(first, second, n - furthest));
  const others = lags.filter(({ lag }) => lag !== 0);
  const strongestLead = strongest(others);
  const limit = strongestLead && normalQuantile(1 - 0.025 / others.length) / Math.sqrt(strongestLead.count);
  const standsOut = limit !== null && Math.abs(strongestLead!.correlation!) > limit;
  const ahead = standsOut && strongestLead!.lag > 0 ? 'second' : 'first';
  return { lags, best: strongest(lags), strongestLead, limit, standsOut, leader: standsOut ? ahead : null };
}

function atLag(first: Float64Array, second: Float64Array, lag: number): LagCorrelation {
  const count = Math.max(0, first.length - Math.abs(lag));
  const from = Math.max(0, lag);
  const a = first.subarray(from, from + count);
  const b = second.subarray(from - lag, from - lag + count);
  return { lag, count, ...correlationInterval(correlation(a, b), count) };
}

function strongest(lags: readonly LagCorrelation[]): LagCorrelation | null {
  const size = ({ correlation }: LagCorrelation) => Math.abs(correlation ?? 0);
  const known = lags.filter(({ correlation }) => correlation !== null);
  return known.reduce<LagCorrelation | null>(
    (best, each) => (best && size(best) >= size(each) ? best : each),
    null,
  );
}
