import { clusteredPair, pairCorrelation } from '../../support/processes/clustered-pair.js';
import { independentPair } from '../../support/processes/independent-pair.js';
import type { IntervalClaim } from '../claim.js';
import { relatedPair } from '../related-pair.js';

/** The beta of two markets of equal volatility is their correlation. */
export const pairBeta: IntervalClaim = {
  name: 'pair-relationship: beta',
  says: 'interval',
  processes: [independentPair, clusteredPair],
  count: 400,
  interval: '1h',
  quickSeries: 80,
  estimate(series) {
    const { betaLow, betaHigh } = relatedPair(series).beta;
    return betaLow === null ? null : { low: betaLow, high: betaHigh! };
  },
  truth: ({ name }) => (name === clusteredPair.name ? pairCorrelation : 0),
};
