import { walkStrategyForward } from '../../../compute/backtest/walk-forward.js';
import { usualMartingales } from '../../support/processes/usual-martingales.js';
import type { IntervalClaim } from '../claim.js';

/** Without costs the Sharpe ratio of any strategy on a martingale is 0. */
export const walkForwardSharpe: IntervalClaim = {
  name: 'walk-forward: Sharpe ratio of the tests',
  says: 'interval',
  processes: usualMartingales,
  count: 1_500,
  interval: '1d',
  quickSeries: 30,
  estimate([candles]) {
    const costs = { feeRate: 0, slippageRate: 0 };
    const settings = { strategy: 'donchian_breakout', grid: {}, folds: 5, trainRatio: 0.7, costs } as const;
    const { sharpeLow, sharpeHigh } = walkStrategyForward(candles, '1d', settings);
    return sharpeLow === null ? null : { low: sharpeLow, high: sharpeHigh! };
  },
  truth: ({ meanReturn }) => meanReturn,
};
