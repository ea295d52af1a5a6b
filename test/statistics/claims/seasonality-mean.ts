import { readSeasonality } from '../../../compute/market/seasonality.js';
import { clusteredVolatility } from '../../support/processes/clustered-volatility.js';
import { independentReturns } from '../../support/processes/independent-returns.js';
import { jumps } from '../../support/processes/jumps.js';
import { endsOf, type IntervalClaim } from '../claim.js';

/** The mean return of a weekday. */
export const seasonalityMean: IntervalClaim = {
  name: 'seasonality: mean return of a weekday',
  says: 'interval',
  processes: [independentReturns, jumps, clusteredVolatility],
  count: 4_000,
  interval: '1h',
  quickSeries: 20,
  estimate([candles]) {
    const { lowPercent, highPercent } = readSeasonality(candles, '1h', 'weekday').buckets[0];
    return endsOf(lowPercent, highPercent);
  },
  truth: ({ meanReturn }) => meanReturn,
};
