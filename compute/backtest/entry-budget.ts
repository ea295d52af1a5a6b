import type { RuleSize } from '../rules/strategy-rules.js';
import type { Costs } from './engine.js';

export interface BudgetedEntry {
  way: number;
  entryPrice: number;
  stop: number;
  close: Float64Array;
  /** Index of the candle that gave the signal. */
  signal: number;
}

/** What an entry may cost, its fee included, of an account that is worth `equity`. */
export function entryBudget(
  size: RuleSize,
  equity: number,
  entry: BudgetedEntry,
  costs: Costs,
  perYear: number,
): number {
  switch (size.kind) {
    case 'percent':
      return (equity * size.value) / 100;
    case 'amount':
      return size.value;
    case 'riskPercent': {
      const risked = (equity * size.value) / 100 / lossOfOne(entry, costs);
      return risked * entry.entryPrice * (1 + costs.feeRate);
    }
    case 'volatilityPercent': {
      const volatility = deviationBefore(entry.close, entry.signal, size.period) * Math.sqrt(perYear);
      return volatility === 0 ? equity : equity * Math.min(1, size.value / 100 / volatility);
    }
  }
}

/** What one unit loses at the stop, costs included. */
function lossOfOne({ way, entryPrice, stop }: BudgetedEntry, { feeRate, slippageRate }: Costs): number {
  return way > 0
    ? entryPrice * (1 + feeRate) - stop * (1 - slippageRate) * (1 - feeRate)
    : stop * (1 + slippageRate) * (1 + feeRate) - entryPrice * (1 - feeRate);
}

/** The standard deviation (n - 1) of the last `period` returns of closes up to the candle `at`. */
function deviationBefore(close: Float64Array, at: number, period: number): number {
  const returnAt = (n: number) => close[at - n] / close[at - n - 1] - 1;
  let sum = 0;
  for (let n = 0; n < period; n++) sum += returnAt(n);
  const average = sum / period;
  let squares = 0;
  for (let n = 0; n < period; n++) squares += (returnAt(n) - average) ** 2;
  const deviation = Math.sqrt(squares / (period - 1));
  // The deviation of equal returns may differ from 0 by rounding.
  return deviation <= Math.abs(average) * 1e-12 ? 0 : deviation;
}
