/**
 * The share of the values that lie below the given one, in percent, 0 to 100; of those equal to it half counts, so the
 * middle of equal values is 50. NaN of nothing. Mean rank, as percentileofscore(kind='mean') of SciPy.
 */
export function percentileRank(values: Float64Array, value: number): number {
  let twice = 0;
  for (let i = 0; i < values.length; i++) twice += Number(values[i] < value) + Number(values[i] <= value);
  return (twice / 2 / values.length) * 100;
}
