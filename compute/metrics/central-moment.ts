import { mean } from './returns.js';

/** The central moment of an order: the mean of (value - mean) ^ order; NaN without values. */
export function centralMoment(values: Float64Array, power: number): number {
  const average = mean(values);
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += (values[i] - average) ** power;
  return sum / values.length;
}
