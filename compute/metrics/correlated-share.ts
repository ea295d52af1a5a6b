import { blockWidening } from './block-widening.js';
import { mean } from './returns.js';
import { varianceOfSum } from './variance-of-sum.js';

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
