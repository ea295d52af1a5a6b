import type { Trade } from '../backtest/engine.js';

/** Trades with a return above 0, costs included, in percent of all; null without trades. */
export function winRate(trades: readonly Pick<Trade, 'returnRate'>[]): number | null {
  if (trades.length === 0) return null;
  return (trades.filter(({ returnRate }) => returnRate > 0).length / trades.length) * 100;
}
