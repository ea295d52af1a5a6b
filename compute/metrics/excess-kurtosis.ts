import { centralMoment } from './central-moment.js';
import { standardDeviation } from './standard-deviation.js';

/**
 * How much heavier the tails are than a normal distribution's: fourth central moment / second ^ 2 - 3, not corrected for
 * small samples. Fisher's g2. Null with fewer than two values, or where they do not vary.
 */
export function excessKurtosis(values: Float64Array): number | null {
  if (!(standardDeviation(values) > 0)) return null;
  return centralMoment(values, 4) / centralMoment(values, 2) ** 2 - 3;
}
