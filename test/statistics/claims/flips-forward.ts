import { computeCoreLine } from '../../../compute/core-line/states.js';
import { flipStatistics } from '../../../compute/core-line/core-line-tasks.js';
import { clusteredVolatility } from '../../support/processes/clustered-volatility.js';
import { gappedReturns } from '../../support/processes/gapped-returns.js';
import { independentReturns } from '../../support/processes/independent-returns.js';
import { jumps } from '../../support/processes/jumps.js';
import { endsOf, type IntervalClaim } from '../claim.js';

/** After a flip a martingale gains nothing on average. The kind of flip with the most returns is judged. */
export const flipsForward: IntervalClaim = {
  name: 'core-line flips: return 60 candles later',
  says: 'interval',
  processes: [independentReturns, jumps, gappedReturns, clusteredVolatility],
  count: 2_000,
  interval: '1h',
  quickSeries: 40,
  estimate([candles]) {
    const { forwardReturns } = flipStatistics(candles.close, computeCoreLine(candles).state);
    const [most] = forwardReturns
      .filter((each) => each.candles === 60 && each.from === 'wait')
      .sort((a, b) => b.count - a.count);
    return endsOf(most?.low, most?.high);
  },
  truth: () => 0,
};
