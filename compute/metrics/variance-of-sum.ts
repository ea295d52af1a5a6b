/**
 * The variance of the sum of correlated deviations from their mean, which neighbours up to `block` - 1 steps apart
 * contribute to: the mean square of the sums over all blocks, those that reach over the ends included, times the number of
 * values in a block's share. Equal to Bartlett's kernel. Newey and West, 1987; overlapping batch means, Meketon and
 * Schmeiser, 1984. Takes one pass whatever the block length.
 */
export function varianceOfSum(deviations: Float64Array, block: number): number {
  const count = deviations.length;
  let [inBlock, squares] = [0, 0];
  for (let end = 0; end < count + block - 1; end++) {
    if (end < count) inBlock += deviations[end];
    if (end >= block) inBlock -= deviations[end - block];
    squares += inBlock * inBlock;
  }
  return squares / block;
}
