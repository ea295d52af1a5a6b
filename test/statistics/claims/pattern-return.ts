import { reportCandlesticks } from '../../../compute/market/candlestick-patterns.js';
import { clusteredVolatility } from '../../support/processes/clustered-volatility.js';
import { independentReturns } from '../../support/processes/independent-returns.js';
import { jumps } from '../../support/processes/jumps.js';
import { endsOf, type IntervalClaim } from '../claim.js';

/** The mean return after the pattern that is seen most often: 0, since price has no memory. */
export const patternReturn: IntervalClaim = {
  name: 'candlestick-patterns: return after a pattern',
  says: 'interval',
  processes: [independentReturns, jumps, clusteredVolatility],
  count: 2_000,
  interval: '1h',
  quickSeries: 40,
  estimate([candles]) {
    const { histories } = reportCandlesticks({ candles, interval: '1h', params: { lookback: 20 } });
    const [{ nextReturn }] = histories.toSorted((a, b) => b.counted - a.counted);
    return endsOf(nextReturn.low, nextReturn.high);
  },
  truth: ({ meanReturn }) => meanReturn,
};
