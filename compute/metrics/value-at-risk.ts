import { normalCdf, normalQuantile } from './normal.js';
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

/**
 * The value at risk of a price whose logarithm moves by a normal step with mean 0 and this standard deviation, so that
 * no loss is above 1. Its conditional form is the mean of the lognormal tail. McNeil, Frey and Embrechts, Quantitative
 * Risk Management, 2005, 2.2.
 */
export function lognormalValueAtRisk(deviation: number, share: number): ValueAtRisk {
  const z = normalQuantile(share);
  const left = Math.exp(deviation ** 2 / 2) * (normalCdf(z - deviation) / share);
  return { valueAtRisk: 0 - Math.expm1(z * deviation), conditional: deviation === 0 ? 0 : 1 - left };
}
