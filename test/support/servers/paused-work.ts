import type { Leaderboard } from '../../../storage/candles/leaderboards.js';
import type { ScheduleRun } from '../../../storage/cluster/schedule-runs.js';

/** What a paused process does under its lease. */
export type PausedWork =
  | 'account'
  | 'candles'
  | 'confirmed write'
  | 'feed'
  | 'leaderboard'
  | 'migration'
  | 'new candles'
  | 'schedule';

/** The pair whose candles and feed are written. */
export const pausedPair = (work: PausedWork) =>
  ({ market: 'csv', base: work.replace(' ', '').toUpperCase(), quote: 'USDT' }) as const;

export const scheduleRunOf = (note: string): ScheduleRun => ({
  ...{ name: 'paused', jobId: 'job', dueAt: null, startedAt: '2026-01-01T00:00:00.000Z', endedAt: null },
  ...{ outcome: 'running', note, node: 'host:1', attempt: 1 },
});

export const leaderboardOf = (market: string): Leaderboard => ({
  ...{ market: 'csv', interval: '1d', period: '1y', asOf: market, computedAt: new Date(0) },
  ...{ costs: { feeRate: 0, slippageRate: 0 }, rows: [], refused: 0, luckiestSharpe: 0 },
});
