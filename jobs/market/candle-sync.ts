import { AppError } from '../../compute/model/errors.js';
import { intervalMs } from '../../compute/model/interval.js';
import { newFeed, staleGraceMs, staleSince, type Feed } from '../../storage/candles/feeds.js';
import type { Storage } from '../../storage/index.js';
import type { Pair, Series } from '../../storage/candles/series.js';
import { closedUntil, fillHours, settleMs, type FillTools } from './fill-hours.js';
import { nextGapAt, repairGaps } from './repair-gaps.js';
import type { HeldLease } from '../../storage/servers/lease.js';
import type { SyncLimits } from './sync-limits.js';

/** The longest pause before a request that will probably fail, such as one that the exchange refused. */
const rareRetryMs = 3_600_000;

/** The time of the next visit after `feed.failures` visits without progress, in ms. */
function retryAt(feed: Feed, limits: SyncLimits, nowMs: number): number {
  // A pair without a candle for a day is probably no longer traded, so it is requested rarely.
  const isOld = feed.stale !== null && nowMs - feed.stale.since > intervalMs('1d');
  return nowMs + pauseAfter(feed.failures, isOld ? rareRetryMs : limits.longestRetryMs, limits);
}

/** Notes an error in the feed; the next visit is after the pause that the exchange asked for, else after one that doubles. */
function noteFailure(feed: Feed, error: AppError, limits: SyncLimits, nowMs: number): void {
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

export interface SyncTools extends Omit<FillTools, 'lease'> {
  storage: Pick<Storage, 'candles' | 'feeds' | 'series'>;
}

/** The result of a visit: whether every closed hour is stored, and when to visit the pair again, in ms. */
export interface PairVisit {
  caughtUp: boolean;
  againAt: number;
}

const hourMs = intervalMs('1h');
const dayMs = intervalMs('1d');

/** Codes of errors that are no failure of the exchange: they are thrown. */
const thrownCodes: ReadonlySet<string> = new Set(['cancelled', 'lease_lost']);

/**
 * Keeps the 1h candles of pairs up to date: first the history, then each hour when it closes, and repeated requests for gaps.
 * Its state is stored in the feed of the pair, so that any process can continue after another. Only one process may visit a
 * pair at a time.
 */
export class CandleSync {
  readonly #tools: SyncTools;
  readonly #limits: SyncLimits;

  constructor(tools: SyncTools, limits: SyncLimits) {
    this.#tools = tools;
    this.#limits = limits;
  }

  /**
   * Does what is due for a pair now, under its lease. Throws `cancelled`, `lease_lost`, and errors of the database that are no
   * AppError.
   */
  async visit(pair: Pair, lease: HeldLease): Promise<PairVisit> {
    const { storage, source } = this.#tools;
    if (lease.tookOver) await storage.feeds.refuseEarlier(pair, lease.token);
    const feed = (await storage.feeds.find(pair)) ?? newFeed(pair);
    const series = await this.#series(pair);
    const nowMs = source.clock();
    const gapAt = this.#isCaughtUp(feed, series) ? nextGapAt(feed, series!) : 0;
    if (Math.max(gapAt, feed.askAgainAt) > nowMs) return this.#end(feed, series, lease);
    try {
      await this.#work(feed, series, lease);
    } catch (error) {
      if (!(error instanceof AppError) || thrownCodes.has(error.code)) throw error;
      noteFailure(feed, error, this.#limits, source.clock());
    }
    return this.#end(feed, await this.#series(pair), lease);
  }

  async #series(pair: Pair): Promise<Series | null> {
    return this.#tools.storage.series.find({ ...pair, interval: '1h' });
  }

  /** Whether every hour since the start of the history was requested and the last closed hour is stored. */
  #isCaughtUp(feed: Feed, series: Series | null): boolean {
    if (!series || series.last < this.#targetMs) return false;
    return feed.askedFrom !== null && feed.askedFrom <= this.#startMs;
  }

  /** Open time of the last closed hour. */
  get #targetMs(): number {
    return closedUntil(this.#tools.source.clock()) - hourMs;
  }

  /** Open time of the first hour of the history. */
  get #startMs(): number {
    return closedUntil(this.#tools.source.clock()) - this.#limits.historyDays * dayMs;
  }

  async #work(feed: Feed, series: Series | null, lease: HeldLease): Promise<void> {
    const tools = { ...this.#tools, lease };
    if (this.#isCaughtUp(feed, series)) {
      await repairGaps(tools, feed, series!, this.#limits.gaps, this.#tools.source.clock());
      feed.failures = 0;
    } else {
      if (this.#setStale(feed, series, 'its candles are being fetched')) {
        await this.#put(feed, lease);
      }
      const progress = await this.#fill(feed, series, tools);
      feed.failures = progress ? 0 : feed.failures + 1;
    }
    feed.askAgainAt = feed.failures === 0 ? 0 : retryAt(feed, this.#limits, this.#tools.source.clock());
    feed.fault = null;
  }

  /** Fetches the newest hours first, then the hours before the first stored one. Returns whether there was progress. */
  async #fill(feed: Feed, series: Series | null, tools: FillTools): Promise<boolean> {
    const startMs = this.#startMs;
    const toMs = this.#targetMs + hourMs;
    const fromMs = series ? Math.max(series.last + hourMs, startMs) : startMs;
    const newest = await this.#fillPart(tools, feed, fromMs, toMs);
    // Without any candle it is unknown whether the exchange has no history or fails to serve it now.
    const first = series?.first ?? (newest.stored > 0 ? startMs : null);
    const asked = feed.askedFrom !== null && feed.askedFrom <= startMs;
    if (!newest.complete || first === null || asked) return newest.stored > 0;
    const older = await this.#fillPart(tools, feed, startMs, first);
    if (older.complete) feed.askedFrom = startMs;
    return true;
  }

  async #fillPart(tools: FillTools, feed: Feed, fromMs: number, toMs: number) {
    const filled = await fillHours(tools, feed, {
      fromMs,
      toMs,
      maxPages: this.#limits.pagesPerVisit,
    });
    feed.refusedRows += filled.refused;
    return filled;
  }

  /** Stores the feed and returns when to visit the pair again. */
  async #end(feed: Feed, series: Series | null, lease: HeldLease): Promise<PairVisit> {
    const caughtUp = this.#isCaughtUp(feed, series);
    this.#setStale(feed, series, feed.fault ?? `${feed.market} has not served its newest candle`);
    await this.#put(feed, lease);
    if (caughtUp) {
      const closeMs = series!.last + 2 * hourMs + settleMs;
      return { caughtUp, againAt: Math.min(closeMs, Math.max(feed.askAgainAt, nextGapAt(feed, series!))) };
    }
    // The pair may become stale before its next request.
    const markAt = series && !feed.stale ? series.last + 2 * hourMs + staleGraceMs + 1 : Infinity;
    return { caughtUp, againAt: Math.min(feed.askAgainAt, markAt) };
  }

  async #put(feed: Feed, { token, confirm }: HeldLease): Promise<void> {
    await confirm();
    await this.#tools.storage.feeds.put(feed, token);
  }

  /** Sets or clears the stale mark of the pair. Returns whether the mark appeared or disappeared. */
  #setStale(feed: Feed, series: Series | null, reason: string): boolean {
    const nowMs = this.#tools.source.clock();
    const since = series ? staleSince(series.last, nowMs) : (feed.stale?.since ?? nowMs);
    const wasStale = feed.stale !== null;
    feed.stale = since === null ? null : { since, reason };
    return wasStale !== (since !== null);
  }
}
