import type { Trade } from '../backtest/engine.js';

/** Gross profit / gross loss of the trades in quote units, costs included; null where no trade lost. */
export function profitFactor(trades: readonly Pick<Trade, 'gain'>[]): number | null {
  let profit = 0;
  let loss = 0;
  for (const { gain } of trades) {
    if (gain > 0) profit += gain;
    else loss -= gain;
  }
  return loss === 0 ? null : profit / loss;
}
