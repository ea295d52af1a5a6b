import { correlation } from '../metrics/correlation.js';
import { correlationInterval, type CorrelationInterval } from '../metrics/correlation-interval.js';
import { normalQuantile } from '../metrics/normal.js';

/** How far apart, in candles, the returns of two series are compared. */
const furthest = 10;

/** The correlation of first[t] with second[t - lag]: with a positive lag the second goes ahead. */
export type LagCorrelation = CorrelationInterval & { lag: number; count: number };

/** Whether one series goes ahead of another. */
export interface LeadLag {
  /** Lags from -10 to 10, each with its own 95 % interval. */
  lags: LagCorrelation[];
  /** The lag with the largest correlation, whatever its sign; 0 nearly always where both trade in one market. */
  best: LagCorrelation | null;
  /** The same among the lags other than 0: the only ones that tell of a lead. */
  strongestLead: LagCorrelation | null;
  /** What the largest of the twenty correlations at other lags exceeds in 5 % of cases where there is no lead. */
  limit: number | null;
  /** Whether the strongest lead is beyond the limit. */
  standsOut: boolean;
  /** Which one leads; null where none stands out. */
  leader: 'first' | 'second' | null;
}

/**
 * Cross-correlation of equally long returns. One lag of twenty is beyond its own 95 % interval by chance alone, so a
 * lead has to be beyond 1 - 5 % / 20 of a normal distribution with deviation 1 / sqrt(n) (Bonferroni). That holds for
 * returns that do not depend on their own past; Box, Jenkins and Reinsel, Time Series Analysis, 12.1.
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
