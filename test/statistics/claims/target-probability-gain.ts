import { clusteredVolatility } from '../../support/processes/clustered-volatility.js';
import { driftingRegimes } from '../../support/processes/drifting-regimes.js';
import { gappedReturns } from '../../support/processes/gapped-returns.js';
import { independentReturns } from '../../support/processes/independent-returns.js';
import { jumps } from '../../support/processes/jumps.js';
import { askTarget } from '../ask-target.js';
import { endsOf, type IntervalClaim } from '../claim.js';
import { longRun } from '../long-run.js';

/** The interval of the mean gain, as a multiple of the risk. */
export const targetProbabilityGain: IntervalClaim = {
  name: 'target-probability: expected R',
  says: 'interval',
  processes: [independentReturns, jumps, gappedReturns, clusteredVolatility, driftingRegimes],
  count: 2_000,
  interval: '1h',
  quickSeries: 80,
  estimate([candles]) {
    const { expectedRLow, expectedRHigh } = askTarget(candles).all;
    return endsOf(expectedRLow, expectedRHigh);
  },
  truth: (process) => askTarget(longRun(process, { interval: '1h' })).all.expectedR!,
};
