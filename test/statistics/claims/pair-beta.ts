import { clusteredPair, pairCorrelation } from '../../support/processes/clustered-pair.js';
import { heavyPair } from '../../support/processes/heavy-pair.js';
import { independentPair } from '../../support/processes/independent-pair.js';
import type { IntervalClaim } from '../claim.js';
import { relatedPair } from '../related-pair.js';

/** The beta of two markets of equal volatility is their correlation. */
export const pairBeta: IntervalClaim = {
  name: 'pair-relationship: beta',
  says: 'interval',
  processes: [independentPair, heavyPair, clusteredPair],
  count: 400,
  interval: '1h',
  quickSeries: 40,
  estimate(series) {
    const { betaLow, betaHigh } = relatedPair(series).beta;
    return betaLow === null ? null : { low: betaLow, high: betaHigh! };
  },
  truth: ({ name }) => (name === independentPair.name ? 0 : pairCorrelation),
};
