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

/**
 * Mean / root mean square of the returns below 0 (over all returns), times the root of the candles in a year;
 * target return 0. Sortino and Price, 1994. Null without returns, or where none is below 0.
 */
export function sortino(returns: Float64Array, perYear: number, average = mean(returns)): number | null {
  if (returns.length === 0) return null;
  let squares = 0;
  for (let i = 0; i < returns.length; i++) {
    // The smaller of the return and 0, without a branch: the sign of a return is unpredictable.
    const loss = (returns[i] - Math.abs(returns[i])) / 2;
    squares += loss * loss;
  }
  const downside = Math.sqrt(squares / returns.length);
  return downside === 0 ? null : (average / downside) * Math.sqrt(perYear);
}

/**
 * Compound annual return / |maximum drawdown|. `drawdown` is given in percent, and a year has `perYear` candles. Null
 * with fewer than two values of equity, without a drawdown, or where the annual return overflows. Young, 1991.
 */
export function calmar(equity: Float64Array, drawdown: number | null, perYear: number): number | null {
  if (equity.length < 2 || drawdown === null || drawdown === 0) return null;
  const growth = equity[equity.length - 1] / equity[0];
  const ratio = (growth ** (perYear / (equity.length - 1)) - 1) / Math.abs(drawdown / 100);
  return Number.isFinite(ratio) ? ratio : null;
}
