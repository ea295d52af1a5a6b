import { cointegratedPair } from '../../support/processes/cointegrated-pair.js';
import { independentPair } from '../../support/processes/independent-pair.js';
import type { VerdictClaim } from '../claim.js';
import { relatedPair } from '../related-pair.js';

/** The z-score of a price ratio is beyond 1.96 in 5 % of the series, and absent where prices are unrelated. */
export const pairRatioZ: VerdictClaim = {
  name: 'pair-relationship: z-score of the ratio',
  says: 'falseAlarm',
  processes: [cointegratedPair, independentPair],
  count: 400,
  interval: '1h',
  quickSeries: 80,
  flags(series) {
    const z = relatedPair(series).ratio.zScore;
    return z === null ? false : Math.abs(z) > 1.96;
  },
};
