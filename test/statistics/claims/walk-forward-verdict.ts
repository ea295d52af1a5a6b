import { walkStrategyForward } from '../../../compute/backtest/walk-forward.js';
import { strategyNames } from '../../../compute/strategies/index.js';
import { usualMartingales } from '../../support/processes/usual-martingales.js';
import type { VerdictClaim } from '../claim.js';

const fitted = strategyNames.filter((name) => name !== 'buy_and_hold');

/** No strategy is robust or moderate on a martingale, also where trading costs nothing. */
export const walkForwardVerdict: VerdictClaim = {
  name: 'walk-forward: verdict',
  says: 'falseAlarm',
  processes: usualMartingales,
  count: 1_500,
  interval: '1d',
  quickSeries: 30,
  flags([candles], seed) {
    const strategy = fitted[seed % fitted.length];
    const costs = { feeRate: 0, slippageRate: 0 };
    const settings = { strategy, grid: null, folds: 5, trainRatio: 0.7, costs };
    const { verdict } = walkStrategyForward(candles, '1d', settings);
    return verdict === 'robust' || verdict === 'moderate';
  },
};
