import { normalReach95 as z } from './normal.js';
/** Bounds of a quantile; null where the sample has no value that far out. */
export interface QuantileInterval {
  low: number | null;
  high: number | null;
}

/**
 * The 95 % confidence interval of the quantile for a share of 0 to 1, from ascending values of any distribution: those
 * at the ranks n share +/- z n sqrt(share (1 - share) / m), rounded up, where the n values are worth m independent ones.
 * Conover, Practical Nonparametric Statistics, 3.2.
 */
export function quantileInterval(
  ascending: ArrayLike<number>,
  share: number,
  independent = ascending.length,
): QuantileInterval {
  const count = ascending.length;
  const reach = (z * count * Math.sqrt(share * (1 - share))) / Math.sqrt(independent);
  // Ranks are counted from 1.
  const at = (rank: number) => (rank >= 1 && rank <= count ? ascending[rank - 1] : null);
  return { low: at(Math.ceil(count * share - reach)), high: at(Math.ceil(count * share + reach)) };
}
