/** Downside deviation: sqrt(mean(min(value, 0) ^ 2)), in the unit of the values; NaN without values. Sortino, 1994. */
export function downsideDeviation(values: Float64Array): number {
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += Math.min(0, values[i]) ** 2;
  return Math.sqrt(squares / values.length);
}
