import { reportCandlesticks } from '../../../compute/market/candlestick-patterns.js';
import type { Candles } from '../../../compute/model/candles.js';
import { usualMartingales } from '../../support/processes/usual-martingales.js';
import { endsOf, type IntervalClaim } from '../claim.js';
import { longRun } from '../long-run.js';

const followedOf = (candles: Candles, name: string) =>
  reportCandlesticks({ candles, interval: '1h', params: { lookback: 500 } }).histories.find(
    (each) => each.name === name && each.sentiment === 'bullish',
  )?.followed;

/** A pattern that a long series shows often. */
const pattern = 'engulfing';

/** How often price goes the way of a pattern. */
export const patternShare: IntervalClaim = {
  name: 'candlestick-patterns: share after a pattern',
  says: 'interval',
  processes: usualMartingales,
  count: 2_000,
  interval: '1h',
  quickSeries: 40,
  estimate([candles]) {
    const followed = followedOf(candles, pattern);
    return followed ? endsOf(followed.low, followed.high) : null;
  },
  truth: (process) => followedOf(longRun(process, { interval: '1h', count: 50_000 }), pattern)!.basePercent,
};
