import { normalReach95 } from './normal.js';
import { sharpeError } from './sharpe-error.js';

/** The ends of an interval of an annualised Sharpe ratio; null where the ratio has no error. */
export interface SharpeInterval {
  low: number | null;
  high: number | null;
}

/**
 * The 95 % interval of an annualised Sharpe ratio: the ratio +/- 1.96 standard errors (Mertens, 2002), times the root of
 * the candles in a year. Assumes returns without autocorrelation. Null where `sharpeError` is null.
 */
export function sharpeInterval(returns: Float64Array, perYear: number): SharpeInterval {
  const found = sharpeError(returns);
  if (!found) return { low: null, high: null };
  const at = (errors: number) => (found.ratio + errors * found.error) * Math.sqrt(perYear);
  return { low: at(-normalReach95), high: at(normalReach95) };
}
