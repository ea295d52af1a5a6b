/**
 * The share of values below the given one plus half of those equal to it, in percent, 0 to 100; NaN without values. The
 * mean rank, as in SciPy's percentileofscore(kind='mean').
 */
export function percentileRank(values: Float64Array, value: number): number {
  let twice = 0;
  for (let i = 0; i < values.length; i++) twice += Number(values[i] < value) + Number(values[i] <= value);
  return (twice / 2 / values.length) * 100;
}
