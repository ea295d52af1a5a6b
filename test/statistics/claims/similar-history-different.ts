import { findSimilarHistory } from '../../../compute/market/similar-history.js';
import { usualMartingales } from '../../support/processes/usual-martingales.js';
import type { VerdictClaim } from '../claim.js';

/** Where price has no memory, what followed similar windows is not different at any horizon. */
export const similarHistoryDifferent: VerdictClaim = {
  name: 'similar-history: different',
  says: 'falseAlarm',
  processes: usualMartingales,
  count: 2_000,
  interval: '1h',
  quickSeries: 40,
  flags([candles], seed) {
    const { aftermath } = findSimilarHistory(candles, '1h', { window: 30, matches: seed % 2 ? 10 : 20 });
    return aftermath.some(({ isDifferent }) => isDifferent);
  },
};
