import type { Trade } from '../backtest/engine.js';

/** The mean return of a trade in percent, costs included; null without trades. */
export function expectancy(trades: readonly Pick<Trade, 'returnRate'>[]): number | null {
  if (trades.length === 0) return null;
  return (trades.reduce((sum, { returnRate }) => sum + returnRate, 0) / trades.length) * 100;
}
