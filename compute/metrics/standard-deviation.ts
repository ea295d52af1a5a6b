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
