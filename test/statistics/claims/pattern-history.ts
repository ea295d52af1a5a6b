import { reportCandlesticks } from '../../../compute/market/candlestick-patterns.js';
import { usualMartingales } from '../../support/processes/usual-martingales.js';
import type { VerdictClaim } from '../claim.js';

/** Where price has no memory, no pattern of a report is better or worse than any candle. */
export const patternHistoryAgainst: VerdictClaim = {
  name: 'candlestick-patterns: better or worse',
  says: 'falseAlarm',
  processes: usualMartingales,
  count: 2_000,
  interval: '1h',
  quickSeries: 40,
  flags([candles]) {
    const { histories } = reportCandlesticks({ candles, interval: '1h', params: { lookback: 20 } });
    return histories.some(({ followed }) => followed !== null && followed.against !== 'no different');
  },
};
