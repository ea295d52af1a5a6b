import { mean } from './returns.js';
import { normalReach95, normalCdf } from './normal.js';

/** A Sharpe ratio per candle, not annualised, with its standard error. */
export interface SharpeError {
  ratio: number;
  error: number;
}

/**
 * The standard error of a Sharpe ratio r of n independent returns of any distribution:
 * sqrt((1 - skewness r + (kurtosis - 1) / 4 r^2) / (n - 1)). Mertens, Comments on the Correct Variance of Estimated Sharpe
 * Ratios, 2002. Null with fewer than three returns, where they do not vary, and where the error is 0, which returns of two
 * distinct values can cause.
 */
export function sharpeError(returns: Float64Array): SharpeError | null {
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
  // Kurtosis is at least 1 + skewness squared, so this is 0 or more; returns of two distinct values can make it 0.
  const square = 1 - skewness * ratio + ((kurtosis - 1) / 4) * ratio * ratio;
  return square <= 1e-12 ? null : { ratio, error: Math.sqrt(square / (count - 1)) };
}

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
