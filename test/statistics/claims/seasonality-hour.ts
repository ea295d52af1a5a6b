import { readSeasonality } from '../../../compute/market/seasonality.js';
import { clusteredVolatility } from '../../support/processes/clustered-volatility.js';
import { independentReturns } from '../../support/processes/independent-returns.js';
import { jumps } from '../../support/processes/jumps.js';
import type { VerdictClaim } from '../claim.js';

/** Where every hour is alike, no hour is significant. */
export const seasonalityHour: VerdictClaim = {
  name: 'seasonality: hour',
  says: 'falseAlarm',
  processes: [independentReturns, jumps, clusteredVolatility],
  count: 4_000,
  interval: '1h',
  quickSeries: 40,
  flags: ([candles]) =>
    readSeasonality(candles, '1h', 'hour').buckets.some(({ isSignificant }) => isSignificant),
};
