import { quantile } from '../../../compute/metrics/quantile.js';
import { candleReturns } from '../../../compute/metrics/returns.js';
import { portfolioRisk } from '../../../compute/risk/portfolio-risk.js';
import { clusteredVolatility } from '../../support/processes/clustered-volatility.js';
import { independentReturns } from '../../support/processes/independent-returns.js';
import { jumps } from '../../support/processes/jumps.js';
import { pairsOf } from '../../support/candles/pairs.js';
import { endsOf, type IntervalClaim } from '../claim.js';
import { longRun } from '../long-run.js';

/** The interval of the loss that 95 of 100 days stay below. */
export const portfolioRiskLoss: IntervalClaim = {
  name: 'portfolio-risk: value at risk of a day',
  says: 'interval',
  wide: 'the past may hold no sign of clusters that are to come',
  processes: [independentReturns, jumps, clusteredVolatility],
  count: 731,
  interval: '1d',
  quickSeries: 100,
  estimate([candles]) {
    const params = { positions: [{ asset: 'BTC', quantity: 1 }], changes: [] };
    const { tail95 } = portfolioRisk.run({ pairs: pairsOf({ BTC: candles }), interval: '1d', params }).before;
    return endsOf(tail95?.varLowPercent, tail95?.varHighPercent);
  },
  truth: (process) => -100 * quantile(candleReturns(longRun(process, { interval: '1d' }).close).sort(), 0.05),
};
