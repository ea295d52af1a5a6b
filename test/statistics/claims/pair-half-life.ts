import { independentPair } from '../../support/processes/independent-pair.js';
import type { VerdictClaim } from '../claim.js';
import { relatedPair } from '../related-pair.js';

/** The spread of unrelated prices has no half-life. */
export const pairHalfLife: VerdictClaim = {
  name: 'pair-relationship: half-life',
  says: 'falseAlarm',
  processes: [independentPair],
  count: 400,
  interval: '1h',
  quickSeries: 80,
  flags: (series) => relatedPair(series).spread?.halfLifeCandles != null,
};
