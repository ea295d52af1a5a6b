import { clusteredPair } from '../../support/processes/clustered-pair.js';
import { independentPair } from '../../support/processes/independent-pair.js';
import type { VerdictClaim } from '../claim.js';
import { relatedPair } from '../related-pair.js';

/** Neither of two markets leads, related or not, where returns have no memory. */
export const pairLead: VerdictClaim = {
  name: 'pair-relationship: lead',
  says: 'falseAlarm',
  processes: [independentPair, clusteredPair],
  count: 400,
  interval: '1h',
  quickSeries: 80,
  flags: (series) => relatedPair(series).leadLag.standsOut,
};
