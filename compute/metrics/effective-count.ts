/**
 * The number of independent cases that overlapping ones are worth: count x sum(lengths) / sum(c^2), where c is how many
 * cases share a candle. The price of every candle counts in the sum of c cases, so the variance of the sum grows with
 * c^2; on a price without drift this is exact for the mean gain of cases that end by a rule. Case k covers `lengths[k]`
 * candles, at least one, from index `starts[k]` on; all indexes are below `size`. 0 without cases. It is Kish's design
 * effect (Survey Sampling, 1965) with the covariances of stopped sums (Wald, 1944).
 */
export function effectiveCount(starts: Int32Array, lengths: Int32Array, size: number): number {
  if (starts.length === 0) return 0;
  const changes = new Int32Array(size + 1);
  let lasted = 0;
  for (let k = 0; k < starts.length; k++) {
    changes[starts[k]]++;
    changes[starts[k] + lengths[k]]--;
    lasted += lengths[k];
  }
  let [alive, squares] = [0, 0];
  for (let i = 0; i < size; i++) {
    alive += changes[i];
    squares += alive * alive;
  }
  return (starts.length * lasted) / squares;
}
