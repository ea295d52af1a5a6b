import { centralMoment } from './central-moment.js';
import { standardDeviation } from './standard-deviation.js';

/**
 * Fisher's skewness g1: third central moment / second ^ 1.5, not corrected for small samples. Negative where the lower
 * tail is longer. Null with fewer than two values, or where they do not vary.
 */
export function skewness(values: Float64Array): number | null {
  if (!(standardDeviation(values) > 0)) return null;
  return centralMoment(values, 3) / centralMoment(values, 2) ** 1.5;
}
