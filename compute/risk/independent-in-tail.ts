import { blockWidening, varianceOfSum } from '../metrics/correlated-share.js';
import { optimalBlockLength } from '../metrics/optimal-block-length.js';

/** Blocks are this many times as long as squared returns ask for: Bartlett's kernel halves what is half a block away. */
const blockFactor = 6;

/**
 * Blocks are at least this long, or a sixth of the past: volatile months are usual in markets, and a short past may show none.
 * Without it the interval from 365 clustered days covers 88 % instead of 92 %.
 */
const leastBlock = 60;

/**
 * The number of independent returns that would measure the share of returns at or below `limit` as exactly as these
 * returns over `days` days do. Losses of a volatile month come together, so it is usually lower than the count; it is at
 * most one for each horizon. It follows from the variance of the share over blocks whose length follows from the
 * correlation of squared returns (Politis and White, 2004), with the correction for blocks that are no small part of the
 * sample (Kiefer and Vogelsang, Econometric Theory 21, 2005).
 */
export function independentInTail(returns: Float64Array, limit: number, days: number): number {
  const count = returns.length;
  const most = Math.ceil(count / days);
  const share = returns.reduce((sum, value) => sum + Number(value <= limit), 0) / count;
  const deviations = returns.map((value) => Number(value <= limit) - share);
  const wanted = blockFactor * optimalBlockLength(returns.map((value) => value * value));
  const least = Math.min(leastBlock, Math.floor(count / 6));
  const block = Math.min(count, Math.max(2 * days - 1, least, Math.ceil(wanted)));
  const variance = varianceOfSum(deviations, block);
  if (!(variance > 0)) return most;
  const seen = (count * count * share * (1 - share)) / variance;
  return Math.min(most, seen / blockWidening(block / count) ** 2);
}
