import { cointegratedPair } from '../../support/processes/cointegrated-pair.js';
import type { VerdictClaim } from '../claim.js';
import { relatedPair } from '../related-pair.js';

/** The spread of prices that stay together has a half-life, over a long window; 180 candles find half of them. */
export const pairCointegrated: VerdictClaim = {
  name: 'pair-relationship: cointegrated',
  says: 'detection',
  processes: [cointegratedPair],
  count: 800,
  interval: '1h',
  quickSeries: 20,
  flags: (series) => relatedPair(series, 730).spread?.halfLifeCandles != null,
};
