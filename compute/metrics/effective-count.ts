/**
 * The number of independent cases that overlapping ones are worth: the sum of the mean uniqueness of each case. A candle
 * shared by c cases has uniqueness 1 / c. Case k covers `lengths[k]` candles, at least one, from index `starts[k]` on;
 * all indexes are below `size`. 0 without cases. Lopez de Prado, Advances in Financial Machine Learning, 2018, 4.4.
 */
export function effectiveCount(starts: Int32Array, lengths: Int32Array, size: number): number {
  const changes = new Int32Array(size + 1);
  for (let k = 0; k < starts.length; k++) {
    changes[starts[k]]++;
    changes[starts[k] + lengths[k]]--;
  }
  // For each candle the sum of 1 / c over all candles before it.
  const shares = new Float64Array(size + 1);
  let alive = 0;
  for (let i = 0; i < size; i++) {
    alive += changes[i];
    shares[i + 1] = shares[i] + (alive > 0 ? 1 / alive : 0);
  }
  let sum = 0;
  for (let k = 0; k < starts.length; k++)
    sum += (shares[starts[k] + lengths[k]] - shares[starts[k]]) / lengths[k];
  return sum;
}
