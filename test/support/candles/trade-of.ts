import type { Trade } from '../../../compute/backtest/engine.js';

/** A trade of which only the given facts matter. */
export const tradeOf = (facts: Partial<Trade>): Trade => ({
  entry: 0,
  exit: 1,
  entryPrice: 100.05,
  exitPrice: 99.95,
  gain: 0,
  returnRate: 0,
  exitReason: 'signal',
  ...facts,
});
