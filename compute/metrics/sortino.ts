import { mean } from './returns.js';

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
