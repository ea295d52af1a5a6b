import { mean } from './returns.js';

/**
 * The standard deviation of a sample (divided by n - 1), in the unit of the values. NaN with fewer than two values; 0
 * where they differ only by rounding.
 */
export function standardDeviation(values: Float64Array): number {
  if (values.length < 2) return NaN;
  const average = mean(values);
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += (values[i] - average) ** 2;
  const deviation = Math.sqrt(squares / (values.length - 1));
  return deviation <= Math.abs(average) * 1e-12 ? 0 : deviation;
}

/** The central moment of an order: the mean of (value - mean) ^ order; NaN without values. */
function centralMoment(values: Float64Array, power: number): number {
  const average = mean(values);
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += (values[i] - average) ** power;
  return sum / values.length;
}

/**
 * Fisher's skewness g1: third central moment / second ^ 1.5, not corrected for small samples. Negative where the lower
 * tail is longer. Null with fewer than two values, or where they do not vary.
 */
export function skewness(values: Float64Array): number | null {
  if (!(standardDeviation(values) > 0)) return null;
  return centralMoment(values, 3) / centralMoment(values, 2) ** 1.5;
}

/**
 * Fisher's excess kurtosis g2: fourth central moment / second ^ 2 - 3, not corrected for small samples; 0 for a normal
 * distribution. Null with fewer than two values, or where they do not vary.
 */
export function excessKurtosis(values: Float64Array): number | null {
  if (!(standardDeviation(values) > 0)) return null;
  return centralMoment(values, 4) / centralMoment(values, 2) ** 2 - 3;
}
