import { findSimilarHistory } from '../../../compute/market/similar-history.js';
import { clusteredVolatility } from '../../support/processes/clustered-volatility.js';
import { independentReturns } from '../../support/processes/independent-returns.js';
import { jumps } from '../../support/processes/jumps.js';
import type { VerdictClaim } from '../claim.js';

/** Where price has no memory, what followed similar windows is not different at any horizon. */
export const similarHistoryDifferent: VerdictClaim = {
  name: 'similar-history: different',
  says: 'falseAlarm',
  processes: [independentReturns, jumps, clusteredVolatility],
  count: 2_000,
  interval: '1h',
  quickSeries: 80,
  flags([candles], seed) {
    const { aftermath } = findSimilarHistory(candles, '1h', { window: 30, matches: seed % 2 ? 10 : 20 });
    return aftermath.some(({ isDifferent }) => isDifferent);
  },
};
