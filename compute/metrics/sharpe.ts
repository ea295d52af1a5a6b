import { mean } from './returns.js';

/**
 * Mean / standard deviation (n - 1) of the returns, times the root of the candles in a year; risk-free rate 0.
 * Sharpe, The Sharpe Ratio, 1994. Null with fewer than two returns, or where they do not vary.
 */
export function sharpe(returns: Float64Array, perYear: number, average = mean(returns)): number | null {
  if (returns.length < 2) return null;
  let squares = 0;
  for (let i = 0; i < returns.length; i++) squares += (returns[i] - average) ** 2;
  const deviation = Math.sqrt(squares / (returns.length - 1));
  // The deviation of equal returns may differ from 0 by rounding.
  return deviation <= Math.abs(average) * 1e-12 ? null : (average / deviation) * Math.sqrt(perYear);
}
