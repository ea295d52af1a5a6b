import { centralMoment } from './central-moment.js';
import { standardDeviation } from './standard-deviation.js';

/**
 * Fisher's excess kurtosis g2: fourth central moment / second ^ 2 - 3, not corrected for small samples; 0 for a normal
 * distribution. Null with fewer than two values, or where they do not vary.
 */
export function excessKurtosis(values: Float64Array): number | null {
  if (!(standardDeviation(values) > 0)) return null;
  return centralMoment(values, 4) / centralMoment(values, 2) ** 2 - 3;
}
