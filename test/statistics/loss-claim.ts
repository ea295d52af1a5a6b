import { quantile } from '../../compute/metrics/quantile.js';
import { clusteredVolatility } from '../support/processes/clustered-volatility.js';
import { independentReturns } from '../support/processes/independent-returns.js';
import { jumps } from '../support/processes/jumps.js';
import type { IntervalClaim } from './claim.js';
import { longRun } from './long-run.js';

/** That an interval holds the loss that 95 of 100 returns over so many days stay below. */
export const lossClaim = (
  days: number,
  claim: Pick<IntervalClaim, 'name' | 'count' | 'quickSeries' | 'estimate'>,
): IntervalClaim => ({
  ...claim,
  says: 'interval',
  wide: 'the past may hold no sign of clusters that are to come',
  processes: [independentReturns, jumps, clusteredVolatility],
  interval: '1d',
  truth(process) {
    const { close } = longRun(process, { interval: '1d' });
    const returns = close.subarray(days).map((price, i) => price / close[i] - 1);
    return -100 * quantile(returns.sort(), 0.05);
  },
});
