import { incompleteBeta } from './incomplete-beta.js';

/**
 * The exact two-sided p-value of `hits` in `count` independent cases if each hits with probability `share`: twice the
 * smaller tail, at most 1. Null without cases. Clopper and Pearson, Biometrika 26, 1934.
 */
export function binomialTest(hits: number, count: number, share: number): number | null {
  if (count === 0) return null;
  // At most k of n hits: I(1 - share; n - k, k + 1). At least k: I(share; k, n - k + 1).
  const atMost = hits === count ? 1 : incompleteBeta(1 - share, share, count - hits, hits + 1);
  const atLeast = hits === 0 ? 1 : incompleteBeta(share, 1 - share, hits, count - hits + 1);
  return Math.min(1, 2 * Math.min(atMost, atLeast));
}
