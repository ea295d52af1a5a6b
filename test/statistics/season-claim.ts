import type { Season } from '../../compute/market/season-calendar.js';
import { readSeasonality } from '../../compute/market/seasonality.js';
import { clusteredVolatility } from '../support/processes/clustered-volatility.js';
import { independentReturns } from '../support/processes/independent-returns.js';
import { jumps } from '../support/processes/jumps.js';
import type { VerdictClaim } from './claim.js';

/** The markets on which seasons are measured: on none does a season differ from another. */
export const seasonProcesses = [independentReturns, jumps, clusteredVolatility] as const;

/** That a report by hour, weekday, month or session calls no bucket significant where all are alike. */
export const seasonClaim = (
  by: Season,
  size: Pick<VerdictClaim, 'count' | 'interval' | 'quickSeries'>,
): VerdictClaim => ({
  name: `seasonality: ${by}`,
  says: 'falseAlarm',
  processes: seasonProcesses,
  ...size,
  flags: ([candles]) =>
    readSeasonality(candles, size.interval, by).buckets.some(({ isSignificant }) => isSignificant),
});
