import { mean } from './returns.js';
import { normalQuantile } from './normal.js';

const eulerGamma = 0.5772156649015329;

/**
 * The expected maximum of the Sharpe ratios of several trials without skill, in the unit of `deviation`, the standard
 * deviation of the ratios; 0 for a single trial. The trials count as independent, so for trials that resemble each other
 * it is an upper bound. Bailey and Lopez de Prado, The Deflated Sharpe Ratio, 2014.
 */
export function luckiestSharpe(trials: number, deviation: number): number {
  if (trials < 2) return 0;
  const usual = normalQuantile(1 - 1 / trials);
  const far = normalQuantile(1 - 1 / (trials * Math.E));
  return deviation * ((1 - eulerGamma) * usual + eulerGamma * far);
}

/**
 * The standard deviation of the Sharpe ratios, per candle, of trials without skill that have so many returns each:
 * 1 / sqrt(n - 1), or the root of the mean variance where n differs. The spread of the ratios found would not do: it also
 * says by how much strategies truly differ.
 */
export const skilllessDeviation = (counts: readonly number[]): number =>
  Math.sqrt(mean(Float64Array.from(counts, (count) => 1 / Math.max(1, count - 1))));
