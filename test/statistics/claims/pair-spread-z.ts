import { cointegratedPair } from '../../support/processes/cointegrated-pair.js';
import { independentPair } from '../../support/processes/independent-pair.js';
import type { VerdictClaim } from '../claim.js';
import { relatedPair } from '../related-pair.js';

/** The z-score of a spread is beyond 1.96 in 5 % of the series, and absent where prices are unrelated. */
export const pairSpreadZ: VerdictClaim = {
  name: 'pair-relationship: z-score of the spread',
  says: 'falseAlarm',
  processes: [cointegratedPair, independentPair],
  count: 400,
  interval: '1h',
  quickSeries: 80,
  flags(series) {
    const z = relatedPair(series).spread?.zScore;
    return z == null ? false : Math.abs(z) > 1.96;
  },
};
