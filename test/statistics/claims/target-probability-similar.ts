import { independentReturns } from '../../support/processes/independent-returns.js';
import { jumps } from '../../support/processes/jumps.js';
import { askTarget } from '../ask-target.js';
import { endsOf, type IntervalClaim } from '../claim.js';
import { longRun } from '../long-run.js';

/** The interval of the share at times of similar volatility, on markets whose past volatility tells nothing. */
export const targetProbabilitySimilar: IntervalClaim = {
  name: 'target-probability: share in similar volatility',
  says: 'interval',
  processes: [independentReturns, jumps],
  count: 2_000,
  interval: '1h',
  quickSeries: 50,
  estimate([candles]) {
    const { targetLowPercent, targetHighPercent } = askTarget(candles).similar;
    return endsOf(targetLowPercent, targetHighPercent);
  },
  truth: (process) => askTarget(longRun(process, { interval: '1h' })).all.targetPercent!,
};
