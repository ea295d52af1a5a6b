import { readSeasonality, type SeasonalBucket } from '../../compute/market/seasonality.js';
import type { Season } from '../../compute/market/season-calendar.js';
import { type Ends, type IntervalClaim } from './claim.js';
import { seasonProcesses } from './season-claim.js';

/** That an interval of the first bucket covers the truth. */
export const seasonIntervalClaim = (
  name: string,
  by: Season,
  { ends, truth }: { ends: (bucket: SeasonalBucket) => Ends | null; truth: IntervalClaim['truth'] },
): IntervalClaim => ({
  name: `seasonality: ${name}`,
  says: 'interval',
  processes: seasonProcesses,
  count: 4_000,
  interval: '1h',
  quickSeries: 20,
  estimate: ([candles]) => ends(readSeasonality(candles, '1h', by).buckets[0]),
  truth,
});
