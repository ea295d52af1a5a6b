import { mean } from './returns.js';

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
