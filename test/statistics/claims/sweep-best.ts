import { sweepChunk } from '../../../compute/backtest/sweep.js';
import { usualMartingales } from '../../support/processes/usual-martingales.js';
import type { VerdictClaim } from '../claim.js';

const grid = { fast: [3, 5, 8, 12, 20], slow: [10, 15, 25, 40, 60] };

/** On a martingale the best of a sweep does not surely beat the luckiest. */
export const sweepBest: VerdictClaim = {
  name: 'sweep: deflated Sharpe ratio of the best',
  says: 'falseAlarm',
  processes: usualMartingales,
  count: 600,
  interval: '1d',
  quickSeries: 30,
  flags([candles]) {
    const costs = { feeRate: 0, slippageRate: 0 };
    const asked = { strategy: 'ema_cross', grid, period: '1y', costs, rankBy: 'sharpe', keep: 1 } as const;
    const { best } = sweepChunk(candles, '1d', asked, { from: 0, to: 25 });
    return best.length === 0 ? null : best[0].deflatedSharpe! > 0.95;
  },
};
