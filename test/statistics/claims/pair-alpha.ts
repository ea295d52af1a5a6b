import { clusteredPair } from '../../support/processes/clustered-pair.js';
import { heavyPair } from '../../support/processes/heavy-pair.js';
import { independentPair } from '../../support/processes/independent-pair.js';
import { endsOf, type IntervalClaim } from '../claim.js';
import { relatedPair } from '../related-pair.js';

/** Neither of two martingales gains where the other stands still. */
export const pairAlpha: IntervalClaim = {
  name: 'pair-relationship: alpha',
  says: 'interval',
  processes: [independentPair, heavyPair, clusteredPair],
  count: 400,
  interval: '1h',
  quickSeries: 150,
  estimate(series) {
    const { alphaLowPercentPerCandle, alphaHighPercentPerCandle } = relatedPair(series).beta;
    return endsOf(alphaLowPercentPerCandle, alphaHighPercentPerCandle);
  },
  truth: () => 0,
};
