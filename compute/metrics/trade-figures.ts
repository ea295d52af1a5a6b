import type { Trade } from '../backtest/engine.js';

/** Trades with a return above 0, costs included, in percent of all; null without trades. */
export function winRate(trades: readonly Pick<Trade, 'returnRate'>[]): number | null {
  if (trades.length === 0) return null;
  return (trades.filter(({ returnRate }) => returnRate > 0).length / trades.length) * 100;
}

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

/** The mean return of a trade in percent, costs included; null without trades. */
export function expectancy(trades: readonly Pick<Trade, 'returnRate'>[]): number | null {
  if (trades.length === 0) return null;
  return (trades.reduce((sum, { returnRate }) => sum + returnRate, 0) / trades.length) * 100;
}

/** Share of candles with a position open at their close, in percent; null without candles. */
export function exposure(candlesHeld: number, candles: number): number | null {
  return candles === 0 ? null : (candlesHeld / candles) * 100;
}
