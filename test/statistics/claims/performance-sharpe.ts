import { readPerformance } from '../../../compute/market/performance.js';
import { clusteredVolatility } from '../../support/processes/clustered-volatility.js';
import { driftingRegimes } from '../../support/processes/drifting-regimes.js';
import { gappedReturns } from '../../support/processes/gapped-returns.js';
import { independentReturns } from '../../support/processes/independent-returns.js';
import { jumps } from '../../support/processes/jumps.js';
import { endsOf, type IntervalClaim } from '../claim.js';

/** The Sharpe ratio of 30 days of hourly candles of a martingale is 0. */
export const performanceSharpe: IntervalClaim = {
  name: 'performance: Sharpe ratio',
  says: 'interval',
  processes: [independentReturns, jumps, gappedReturns, clusteredVolatility, driftingRegimes],
  count: 760,
  interval: '1h',
  quickSeries: 100,
  estimate([candles]) {
    const { windows } = readPerformance(candles, null, '1h');
    const { figures } = windows.find(({ window }) => window === '30d')!;
    return endsOf(figures?.sharpeLow, figures?.sharpeHigh);
  },
  truth: ({ meanReturn }) => meanReturn,
};
