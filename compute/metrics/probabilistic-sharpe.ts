import { normalCdf } from './normal.js';
import { sharpeError } from './sharpe-error.js';

/**
 * The probability, 0 to 1, that the true Sharpe ratio is above `benchmark` (per candle, not annualised), given the
 * number, skewness and kurtosis of the returns. Bailey and Lopez de Prado, The Sharpe Ratio Efficient Frontier, 2012.
 * Null with fewer than three returns, where they do not vary, and where the standard error of the ratio is 0, which
 * returns of two distinct values can cause.
 */
export function probabilisticSharpe(returns: Float64Array, benchmark = 0): number | null {
  const found = sharpeError(returns);
  return found && normalCdf((found.ratio - benchmark) / found.error);
}
