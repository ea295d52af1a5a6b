import { reportCandlesticks } from '../../../compute/market/candlestick-patterns.js';
import { usualMartingales } from '../../support/processes/usual-martingales.js';
import { endsOf, type IntervalClaim } from '../claim.js';

/** The mean return after the pattern that is seen most often: 0, since price has no memory. */
export const patternReturn: IntervalClaim = {
  name: 'candlestick-patterns: return after a pattern',
  says: 'interval',
  processes: usualMartingales,
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
