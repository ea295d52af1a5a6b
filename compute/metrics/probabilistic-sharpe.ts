import { normalCdf, normalQuantile } from './normal.js';
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

const eulerGamma = 0.5772156649015329;

/**
 * The expected maximum of the Sharpe ratios of several trials without skill, in the unit of `deviation`, the standard
 * deviation of the ratios; 0 for a single trial. Bailey and Lopez de Prado, The Deflated Sharpe Ratio, 2014.
 */
export function luckiestSharpe(trials: number, deviation: number): number {
  if (trials < 2) return 0;
  const usual = normalQuantile(1 - 1 / trials);
  const far = normalQuantile(1 - 1 / (trials * Math.E));
  return deviation * ((1 - eulerGamma) * usual + eulerGamma * far);
}
