import { readSeasonality } from '../../../compute/market/seasonality.js';
import { clusteredVolatility } from '../../support/processes/clustered-volatility.js';
import { independentReturns } from '../../support/processes/independent-returns.js';
import { jumps } from '../../support/processes/jumps.js';
import type { VerdictClaim } from '../claim.js';

/** Where every session is alike, no session is significant. */
export const seasonalitySession: VerdictClaim = {
  name: 'seasonality: session',
  says: 'falseAlarm',
  processes: [independentReturns, jumps, clusteredVolatility],
  count: 4_000,
  interval: '1h',
  quickSeries: 40,
  flags: ([candles]) =>
    readSeasonality(candles, '1h', 'session').buckets.some(({ isSignificant }) => isSignificant),
};
