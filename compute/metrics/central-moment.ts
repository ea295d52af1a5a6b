import { mean } from './returns.js';

/** The mean of the values' distances from their mean to a power; NaN of nothing. */
export function centralMoment(values: Float64Array, power: number): number {
  const average = mean(values);
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += (values[i] - average) ** power;
  return sum / values.length;
}
