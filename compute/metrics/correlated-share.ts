import { mean } from './returns.js';

/**
 * By how much an interval of 95 % is wider where its variance comes from blocks that are `part` of the sample, 0 to 1: such
 * a variance is itself uncertain. The 97.5 % quantile of Bartlett's kernel over the normal one, 1.96. Kiefer and Vogelsang, A
 * New Asymptotic Theory for Heteroskedasticity-Autocorrelation Robust Tests, Econometric Theory 21, 2005.
 */
export const blockWidening = (part: number): number =>
  (1.96 + 2.9694 * part + 0.416 * part ** 2 - 0.5324 * part ** 3) / 1.96;

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

/** Long enough for trends of months in a year, and short enough to leave five blocks. */
const blockShare = 0.2;

/**
 * How the variance of the mean of returns compares with that of independent ones, for an interval of 95 %: above 1 where
 * returns follow their predecessors. By blocks of a fifth of the returns (Newey and West, 1987), with the correction for
 * their few (Kiefer and Vogelsang, 2005). 1 where the returns do not vary.
 */
export function correlatedShare(returns: Float64Array): number {
  const count = returns.length;
  const average = mean(returns);
  const deviations = returns.map((value) => value - average);
  const block = Math.max(1, Math.floor(count * blockShare));
  const independent = varianceOfSum(deviations, 1);
  if (!(independent > 0)) return 1;
  return (varianceOfSum(deviations, block) / independent) * blockWidening(block / count) ** 2;
}
