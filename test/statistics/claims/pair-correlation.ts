import { clusteredPair, pairCorrelation } from '../../support/processes/clustered-pair.js';
import { heavyPair } from '../../support/processes/heavy-pair.js';
import { independentPair } from '../../support/processes/independent-pair.js';
import type { IntervalClaim } from '../claim.js';
import { relatedPair } from '../related-pair.js';

/** The correlation of two markets. */
export const pairCorrelationInterval: IntervalClaim = {
  name: 'pair-relationship: correlation',
  says: 'interval',
  processes: [independentPair, heavyPair, clusteredPair],
  count: 400,
  interval: '1h',
  quickSeries: 40,
  estimate(series) {
    const { low, high } = relatedPair(series).correlation;
    return low === null ? null : { low, high: high! };
  },
  truth: ({ name }) => (name === independentPair.name ? 0 : pairCorrelation),
};
