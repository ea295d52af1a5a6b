import { normalQuantile } from './normal.js';
import { quantile } from './quantile.js';

/** The loss that only a share of cases exceeds, and the mean loss of those. As positive fractions; below 0 is a gain. */
export interface ValueAtRisk {
  valueAtRisk: number;
  /** Conditional value at risk, also called expected shortfall. */
  conditional: number;
}

/** That of a sample, and how many returns lie in its tail. */
export interface HistoricalValueAtRisk extends ValueAtRisk {
  tail: number;
}

/**
 * Of ascending returns, at least one: minus the quantile of the share (0.05 for 95 %; linear between values), and minus the
 * mean of all at or below it. Jorion, Value at Risk; Rockafellar and Uryasev, 2000.
 */
export function historicalValueAtRisk(ascending: Float64Array, share: number): HistoricalValueAtRisk {
  const limit = quantile(ascending, share);
  let [tail, sum] = [0, 0];
  while (tail < ascending.length && ascending[tail] <= limit) sum += ascending[tail++];
  // Rounding may put the limit a last digit below the only return of the tail. Taken from 0, nothing is not minus nothing.
  return { valueAtRisk: 0 - limit, conditional: 0 - (tail === 0 ? limit : sum / tail), tail };
}

/** Of a normal distribution with that mean and standard deviation. */
export function normalValueAtRisk(mean: number, deviation: number, share: number): ValueAtRisk {
  const z = normalQuantile(share);
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  return { valueAtRisk: 0 - (mean + z * deviation), conditional: (density / share) * deviation - mean };
}
