import { quantile } from './quantile.js';

/** What a loss may come to, as positive fractions; a negative one is a gain. */
export interface TailLoss {
  /** The loss that so large a share of returns does not exceed. */
  valueAtRisk: number;
  /** The mean of the losses at or beyond it: expected shortfall. */
  conditional: number;
}

/**
 * Historical value at risk of returns (fractions) at a confidence between 0 and 1: minus the (1 - confidence) quantile,
 * by linear interpolation, and minus the mean of the returns at or below that. Null without returns. It rests on a
 * share 1 - confidence of them: of 100 returns five make the figure at 95 %, and one alone that at 99 %.
 */
export function valueAtRisk(returns: Float64Array, confidence: number): TailLoss | null {
  if (returns.length === 0) return null;
  const ascending = returns.slice().sort();
  const edge = quantile(ascending, 1 - confidence);
  let sum = 0;
  let count = 0;
  while (count < ascending.length && ascending[count] <= edge) sum += ascending[count++];
  return { valueAtRisk: 0 - edge, conditional: 0 - sum / count };
}
