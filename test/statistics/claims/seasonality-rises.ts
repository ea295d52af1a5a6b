import { readSeasonality } from '../../../compute/market/seasonality.js';
import { clusteredVolatility } from '../../support/processes/clustered-volatility.js';
import { independentReturns } from '../../support/processes/independent-returns.js';
import { jumps } from '../../support/processes/jumps.js';
import { endsOf, type IntervalClaim } from '../claim.js';
import { longRun } from '../long-run.js';

/** The share of hours of one kind in which price rises. */
export const seasonalityRises: IntervalClaim = {
  name: 'seasonality: share of rises in an hour',
  says: 'interval',
  processes: [independentReturns, jumps, clusteredVolatility],
  count: 4_000,
  interval: '1h',
  quickSeries: 20,
  estimate([candles]) {
    const { upLowPercent, upHighPercent } = readSeasonality(candles, '1h', 'hour').buckets[0];
    return endsOf(upLowPercent, upHighPercent);
  },
  truth(process) {
    const { close } = longRun(process, { interval: '1h' });
    const rises = close.reduce((sum, price, i) => sum + Number(i > 0 && price > close[i - 1]), 0);
    return (100 * rises) / (close.length - 1);
  },
};
