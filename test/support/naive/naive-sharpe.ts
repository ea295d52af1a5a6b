/** The Sharpe ratio of an equity curve as a textbook has it; null where returns don't vary. */
export function naiveSharpe(equity: readonly number[], perYear: number): number | null {
  const returns = equity.slice(1).map((value, i) => (value - equity[i]) / equity[i]);
  const mean = returns.reduce((sum, value) => sum + value, 0) / returns.length;
  const variance = returns.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (returns.length - 1);
  return variance > 1e-30 ? (mean / Math.sqrt(variance)) * Math.sqrt(perYear) : null;
}
