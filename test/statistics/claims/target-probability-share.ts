import { clusteredVolatility } from '../../support/processes/clustered-volatility.js';
import { driftingRegimes } from '../../support/processes/drifting-regimes.js';
import { gappedReturns } from '../../support/processes/gapped-returns.js';
import { independentReturns } from '../../support/processes/independent-returns.js';
import { jumps } from '../../support/processes/jumps.js';
import { askTarget } from '../ask-target.js';
import { endsOf, type IntervalClaim } from '../claim.js';
import { longRun } from '../long-run.js';

/** The interval of the share of starts that touch the target first. */
export const targetProbabilityShare: IntervalClaim = {
  name: 'target-probability: share at the target',
  says: 'interval',
  processes: [independentReturns, jumps, gappedReturns, clusteredVolatility, driftingRegimes],
  count: 2_000,
  interval: '1h',
  quickSeries: 50,
  estimate([candles]) {
    const { targetLowPercent, targetHighPercent } = askTarget(candles).all;
    return endsOf(targetLowPercent, targetHighPercent);
  },
  truth: (process) => askTarget(longRun(process, { interval: '1h' })).all.targetPercent!,
};
