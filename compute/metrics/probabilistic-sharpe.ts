import { normalCdf, normalQuantile } from './normal.js';
import { mean } from './returns.js';

/**
 * The probability, 0 to 1, that the true Sharpe ratio is above `benchmark` (per candle, not annualised), given the
 * number, skewness and kurtosis of the returns. Bailey and Lopez de Prado, The Sharpe Ratio Efficient Frontier, 2012.
 * Null with fewer than three returns, where they do not vary, and where the standard error of the ratio is 0, which
 * returns of two distinct values can cause.
 */
export function probabilisticSharpe(returns: Float64Array, benchmark = 0): number | null {
  const count = returns.length;
  if (count < 3) return null;
  const average = mean(returns);
  let [second, third, fourth] = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    const away = returns[i] - average;
    const square = away * away;
    second += square;
    third += square * away;
    fourth += square * square;
  }
  const deviation = Math.sqrt(second / (count - 1));
  if (deviation <= Math.abs(average) * 1e-12) return null;
  const variance = second / count;
  const skewness = third / count / variance ** 1.5;
  const kurtosis = fourth / count / variance ** 2;
  const ratio = average / deviation;
  // Kurtosis is at least 1 + skewness squared, so the variance is 0 or more; returns of two distinct values can make it 0.
  const square = 1 - skewness * ratio + ((kurtosis - 1) / 4) * ratio * ratio;
  if (square <= 1e-12) return null;
  const spread = Math.sqrt(square);
  return normalCdf(((ratio - benchmark) * Math.sqrt(count - 1)) / spread);
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
