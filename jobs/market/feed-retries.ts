import type { AppError } from '../../compute/model/errors.js';
import { intervalMs } from '../../compute/model/interval.js';
import type { Feed } from '../../storage/candles/feeds.js';
import type { SyncLimits } from './sync-limits.js';

/** The longest pause before a request that will probably fail, such as one that the exchange refused. */
const rareRetryMs = 3_600_000;

/** The time of the next visit after `feed.failures` visits without progress, in ms. */
export function retryAt(feed: Feed, limits: SyncLimits, nowMs: number): number {
  // A pair without a candle for a day is probably no longer traded, so it is requested rarely.
  const isOld = feed.stale !== null && nowMs - feed.stale.since > intervalMs('1d');
  return nowMs + pauseAfter(feed.failures, isOld ? rareRetryMs : limits.longestRetryMs, limits);
}

/** Notes an error in the feed; the next visit is after the pause that the exchange asked for, else after one that doubles. */
export function noteFailure(feed: Feed, error: AppError, limits: SyncLimits, nowMs: number): void {
  feed.failures++;
  feed.fault = error.message;
  const { retryAfterMs } = error.details;
  const longestMs = error.code === 'exchange_refused' ? rareRetryMs : limits.longestRetryMs;
  const pauseMs =
    typeof retryAfterMs === 'number' ? retryAfterMs : pauseAfter(feed.failures, longestMs, limits);
  feed.askAgainAt = nowMs + pauseMs;
}

const pauseAfter = (failures: number, longestMs: number, { retryMs }: SyncLimits): number =>
  Math.min(longestMs, retryMs * 2 ** Math.min(30, failures - 1));
