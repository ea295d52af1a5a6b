import { flipStatisticsAnalysis } from '../../../compute/core-line/flip-statistics-analysis.js';
import type { Candles } from '../../../compute/model/candles.js';
import { usualMartingales } from '../../support/processes/usual-martingales.js';
import { endsOf, type IntervalClaim } from '../claim.js';
import { longRun } from '../long-run.js';

const turnedUp = (candles: Candles) =>
  flipStatisticsAnalysis
    .run({ candles, interval: '1h', params: {} })
    .forwardReturns.find(
      ({ from, to, candles: ahead }) => from === 'wait' && to === 'accumulate' && ahead === 20,
    )!;

/** How often price is higher 20 candles after a turn to accumulate. */
export const flipsHitRate: IntervalClaim = {
  name: 'core-line flips: hit rate',
  says: 'interval',
  processes: usualMartingales,
  count: 4_000,
  interval: '1h',
  quickSeries: 40,
  estimate([candles]) {
    const { hitRateLowPercent, hitRateHighPercent } = turnedUp(candles);
    return endsOf(hitRateLowPercent, hitRateHighPercent);
  },
  truth: (process) => turnedUp(longRun(process, { interval: '1h' })).hitRatePercent!,
};
