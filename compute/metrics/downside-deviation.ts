/** The root mean square of what the values lie below 0, over all of them, in their unit; NaN of nothing. Sortino, 1994. */
export function downsideDeviation(values: Float64Array): number {
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += Math.min(0, values[i]) ** 2;
  return Math.sqrt(squares / values.length);
}
