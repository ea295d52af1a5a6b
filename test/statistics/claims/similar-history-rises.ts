import { findSimilarHistory } from '../../../compute/market/similar-history.js';
import { normalCdf } from '../../../compute/metrics/normal.js';
import { independentReturns } from '../../support/processes/independent-returns.js';
import { usualDeviation } from '../../support/processes/market-process.js';
import type { IntervalClaim } from '../claim.js';

const horizon = 10;

/** The share of windows after which price is higher ten candles later. */
export const similarHistoryRises: IntervalClaim = {
  name: 'similar-history: share of rises',
  says: 'interval',
  processes: [independentReturns],
  count: 2_000,
  interval: '1h',
  quickSeries: 40,
  wide: 'windows count as one for each horizon, though the signs of overlapping returns differ more often',
  estimate([candles]) {
    const { aftermath } = findSimilarHistory(candles, '1h', { window: 30, matches: 10 });
    const { base } = aftermath.find(({ candles }) => candles === horizon)!;
    return base.upLowPercent === null ? null : { low: base.upLowPercent, high: base.upHighPercent! };
  },
  // The log return of ten candles is normal with mean -10 deviation^2 / 2.
  truth: () => 100 * normalCdf((-Math.sqrt(horizon) * usualDeviation['1h']) / 2),
};
