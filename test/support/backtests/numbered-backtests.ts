import type { BacktestSummary, RunBacktest } from '../../../storage/backtests/backtests.js';

const summary: BacktestSummary = {
  ...{ asset: 'BTC', tradeMarket: 'USDT', interval: '1h', period: '1y', source: 'csv' },
  ...{ strategy: 'ema_cross', params: { fast: 5, slow: 30 }, feePercent: 0.1, slippagePercent: 0.05 },
  window: { from: '2024-01-01T00:00:00.000Z', to: '2025-01-01T00:00:00.000Z' },
  ...{ totalReturn: 12.5, winRate: 50, sharpe: 1.2, maxDrawdown: -20, tradeCount: 4, profitFactor: null },
};

/** The id of a numbered backtest. */
export const numberedId = (number: number): string => number.toString(16).padStart(64, '0');

/** A backtest of a user that ran in the millisecond of its number. */
export const numberedBacktest = (
  userId: string,
  number: number,
  more: Partial<RunBacktest> = {},
): RunBacktest => ({
  userId,
  kind: 'builtIn',
  id: numberedId(number),
  summary,
  text: JSON.stringify({ number, trades: [{ return: number / 7 }] }),
  ranAtMs: Date.now() + number,
  ...more,
});
