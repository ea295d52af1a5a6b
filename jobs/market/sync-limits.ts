import type { GapLimits } from './repair-gaps.js';

/** How much history is fetched, and the pauses after failures. */
export interface SyncLimits {
  /** How far back the history is fetched. */
  historyDays: number;
  /** The pause after a visit that stored nothing; it doubles with each such visit in a row, up to `longestRetryMs`. */
  retryMs: number;
  longestRetryMs: number;
  gaps: GapLimits;
  /** Pages fetched in one visit, so that one pair does not delay the others. */
  pagesPerVisit: number;
}

export const defaultSyncLimits: Omit<SyncLimits, 'historyDays'> = {
  retryMs: 1_000,
  longestRetryMs: 60_000,
  gaps: { pauseMs: 600_000 },
  pagesPerVisit: 10,
};
