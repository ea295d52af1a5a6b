import { centralMoment } from './central-moment.js';
import { standardDeviation } from './standard-deviation.js';

/**
 * How lopsided a distribution is: third central moment / second ^ 1.5, not corrected for small samples; below 0 where the
 * losses reach further. Fisher's g1. Null with fewer than two values, or where they do not vary.
 */
export function skewness(values: Float64Array): number | null {
  if (!(standardDeviation(values) > 0)) return null;
  return centralMoment(values, 3) / centralMoment(values, 2) ** 1.5;
}
