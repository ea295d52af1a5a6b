import { optimalBlockLength } from '../metrics/optimal-block-length.js';
import { varianceOfSum } from '../metrics/variance-of-sum.js';

/** Blocks are this many times as long as squared returns ask for: Bartlett's kernel halves what is half a block away. */
const blockFactor = 6;

/**
 * As how many independent returns those of a horizon of `days` count for the share of them at or below `limit`: the
 * losses of a wild month come together, so they are fewer than they look. At most one in each horizon. From the variance
 * of the share over blocks that follow from the correlation of squared returns (Politis and White, 2004), with the
 * correction for blocks that are no small part of the sample (Kiefer and Vogelsang, Econometric Theory 21, 2005).
 */
export function independentInTail(returns: Float64Array, limit: number, days: number): number {
  const count = returns.length;
  const most = Math.ceil(count / days);
  const share = returns.reduce((sum, value) => sum + Number(value <= limit), 0) / count;
  const deviations = returns.map((value) => Number(value <= limit) - share);
  const wanted = blockFactor * optimalBlockLength(returns.map((value) => value * value));
  const block = Math.min(count, Math.max(2 * days - 1, Math.ceil(wanted)));
  const variance = varianceOfSum(deviations, block);
  if (!(variance > 0)) return most;
  return Math.min(most, (count * count * share * (1 - share)) / variance) / widening(block / count) ** 2;
}

/** The 97.5 % quantile of a t-value whose variance comes from blocks of this share of the sample, over the normal one. */
const widening = (part: number): number =>
  (1.96 + 2.9694 * part + 0.416 * part ** 2 - 0.5324 * part ** 3) / 1.96;
