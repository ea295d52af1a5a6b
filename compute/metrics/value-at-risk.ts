import { normalQuantile } from './normal.js';
import { quantile } from './quantile.js';

/** The loss that only a share of cases exceeds, and the mean loss of those cases, as fractions; a gain is negative. */
export interface ValueAtRisk {
  valueAtRisk: number;
  /** Conditional value at risk, also called expected shortfall. */
  conditional: number;
}

/** The value at risk of a sample, and the number of returns in its tail. */
export interface HistoricalValueAtRisk extends ValueAtRisk {
  tail: number;
}

/**
 * The value at risk of one or more ascending returns: minus the quantile of the share (0.05 for 95 %, with linear
 * interpolation), and minus the mean of all returns at or below it. Jorion, Value at Risk; Rockafellar, Uryasev, 2000.
 */
export function historicalValueAtRisk(ascending: Float64Array, share: number): HistoricalValueAtRisk {
  const limit = quantile(ascending, share);
  let [tail, sum] = [0, 0];
  while (tail < ascending.length && ascending[tail] <= limit) sum += ascending[tail++];
  // Rounding may put the limit just below the only return of the tail. Subtraction from 0 avoids -0.
  return { valueAtRisk: 0 - limit, conditional: 0 - (tail === 0 ? limit : sum / tail), tail };
}

/** The value at risk of a normal distribution with this mean and standard deviation. */
export function normalValueAtRisk(mean: number, deviation: number, share: number): ValueAtRisk {
  const z = normalQuantile(share);
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  return { valueAtRisk: 0 - (mean + z * deviation), conditional: (density / share) * deviation - mean };
}
