import { portfolioRisk } from '../../../compute/risk/portfolio-risk.js';
import { pairsOf } from '../../support/candles/pairs.js';
import { endsOf } from '../claim.js';
import { lossClaim } from '../loss-claim.js';

/** The interval of the loss that 95 of 100 days stay below. */
export const portfolioRiskLoss = lossClaim(1, {
  name: 'portfolio-risk: value at risk of a day',
  count: 731,
  quickSeries: 100,
  estimate([candles]) {
    const params = { positions: [{ asset: 'BTC', quantity: 1 }], changes: [], prices: [] };
    const { tail95 } = portfolioRisk.run({ pairs: pairsOf({ BTC: candles }), interval: '1d', params }).before;
    return endsOf(tail95?.varLowPercent, tail95?.varHighPercent);
  },
});
