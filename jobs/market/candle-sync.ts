import { AppError } from '../../compute/model/errors.js';
import { intervalMs } from '../../compute/model/interval.js';
import { newFeed, staleGraceMs, staleSince, type Feed } from '../../storage/candles/feeds.js';
import type { Storage } from '../../storage/index.js';
import type { Pair, Series } from '../../storage/candles/series.js';
import { closedUntil, fillHours, settleMs, type FillTools } from './fill-hours.js';
import { nextGapAt, repairGaps, type GapLimits } from './repair-gaps.js';

export interface SyncLimits {
  /** The history that is fetched. */
  historyDays: number;
  /** The pause after an asking that brought nothing; it doubles with each in a row, up to `longestRetryMs`. */
  retryMs: number;
  longestRetryMs: number;
  gaps: GapLimits;
  /** Pages fetched in one visit, so that no pair keeps the others waiting. */
  pagesPerVisit: number;
}

export const usualSyncLimits: Omit<SyncLimits, 'historyDays'> = {
  retryMs: 1_000,
  longestRetryMs: 60_000,
  gaps: { pauseMs: 600_000 },
  pagesPerVisit: 10,
};

export interface SyncTools extends FillTools {
  storage: Pick<Storage, 'candles' | 'feeds' | 'series'>;
}

/** What a visit came to: whether the pair has every hour that is over, and when to visit it again, in ms. */
export interface Visit {
  caughtUp: boolean;
  againAt: number;
}

const hourMs = intervalMs('1h');
const dayMs = intervalMs('1d');
/** The longest pause before what is not likely to be answered: a question that the exchange did not accept, say. */
const rareRetryMs = 3_600_000;

/**
 * Keeps the 1h candles of pairs up to date: history first, then each hour when it is over, and gaps again. All it goes by
 * is stored, so that any process can go on where another stopped; one at a time may visit a pair.
 */
export class CandleSync {
  readonly #tools: SyncTools;
  readonly #limits: SyncLimits;

  constructor(tools: SyncTools, limits: SyncLimits) {
    this.#tools = tools;
    this.#limits = limits;
  }

  /** Does what is due for a pair now. Throws when the databases fail it, and `cancelled`. */
  async visit(pair: Pair): Promise<Visit> {
    const { storage, source } = this.#tools;
    const feed = (await storage.feeds.find(pair)) ?? newFeed(pair);
    const series = await this.#series(pair);
    const nowMs = source.clock();
    const gapAt = this.#isCaughtUp(feed, series) ? nextGapAt(feed, series!) : 0;
    if (Math.max(gapAt, feed.askAgainAt) > nowMs) return this.#end(feed, series);
    try {
      await this.#work(feed, series);
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'cancelled') throw error;
      this.#putOff(feed, error);
    }
    return this.#end(feed, await this.#series(pair));
  }

  async #series(pair: Pair): Promise<Series | null> {
    return this.#tools.storage.series.find({ ...pair, interval: '1h' });
  }

  /** Whether every hour from the start of history on has been asked for and the last one is stored. */
  #isCaughtUp(feed: Feed, series: Series | null): boolean {
    if (!series || series.last < this.#targetMs) return false;
    return feed.askedFrom !== null && feed.askedFrom <= this.#startMs;
  }

  /** Open time of the last hour that is over. */
  get #targetMs(): number {
    return closedUntil(this.#tools.source.clock()) - hourMs;
  }

  /** Open time of the first hour of history. */
  get #startMs(): number {
    return closedUntil(this.#tools.source.clock()) - this.#limits.historyDays * dayMs;
  }

  async #work(feed: Feed, series: Series | null): Promise<void> {
    if (this.#isCaughtUp(feed, series)) {
      await repairGaps(this.#tools, feed, series!, this.#limits.gaps, this.#tools.source.clock());
      feed.failures = 0;
    } else {
      if (this.#setStale(feed, series, 'its candles are being fetched')) {
        await this.#tools.storage.feeds.put(feed);
      }
      const progress = await this.#fill(feed, series);
      feed.failures = progress ? 0 : feed.failures + 1;
    }
    feed.askAgainAt = feed.failures === 0 ? 0 : this.#later(feed.failures, this.#longestRetryMs(feed));
    feed.fault = null;
  }

  /** The newest hours first, then those before what is stored. Returns whether that brought the pair further. */
  async #fill(feed: Feed, series: Series | null): Promise<boolean> {
    const startMs = this.#startMs;
    const toMs = this.#targetMs + hourMs;
    const fromMs = series ? Math.max(series.last + hourMs, startMs) : startMs;
    const newest = await this.#fillPart(feed, fromMs, toMs);
    // Without a candle nobody knows whether the exchange has none or does not serve any now.
    const first = series?.first ?? (newest.stored > 0 ? startMs : null);
    const asked = feed.askedFrom !== null && feed.askedFrom <= startMs;
    if (!newest.complete || first === null || asked) return newest.stored > 0;
    const older = await this.#fillPart(feed, startMs, first);
    if (older.complete) feed.askedFrom = startMs;
    return true;
  }

  async #fillPart(feed: Feed, fromMs: number, toMs: number) {
    const filled = await fillHours(this.#tools, feed, {
      fromMs,
      toMs,
      mostPages: this.#limits.pagesPerVisit,
    });
    feed.refusedRows += filled.refused;
    return filled;
  }

  /** Writes down how things stand and when to go on. */
  async #end(feed: Feed, series: Series | null): Promise<Visit> {
    const caughtUp = this.#isCaughtUp(feed, series);
    this.#setStale(feed, series, feed.fault ?? `${feed.market} has not served its newest candle`);
    await this.#tools.storage.feeds.put(feed);
    if (caughtUp) {
      const closeMs = series!.last + 2 * hourMs + settleMs;
      return { caughtUp, againAt: Math.min(closeMs, Math.max(feed.askAgainAt, nextGapAt(feed, series!))) };
    }
    // A pair may turn stale before it is asked for again.
    const markAt = series && !feed.stale ? series.last + 2 * hourMs + staleGraceMs + 1 : Infinity;
    return { caughtUp, againAt: Math.min(feed.askAgainAt, markAt) };
  }

  /** Marks the pair as stale, or not. Returns whether that is a change. */
  #setStale(feed: Feed, series: Series | null, reason: string): boolean {
    const nowMs = this.#tools.source.clock();
    const since = series ? staleSince(series.last, nowMs) : (feed.stale?.since ?? nowMs);
    const wasStale = feed.stale !== null;
    feed.stale = since === null ? null : { since, reason };
    return wasStale !== (since !== null);
  }

  /** After an error: the pause that the exchange asked for, else one that grows. */
  #putOff(feed: Feed, { code, message, details }: AppError): void {
    feed.failures++;
    feed.fault = message;
    const { retryAfterMs } = details;
    const longest = code === 'exchange_refused' ? rareRetryMs : this.#limits.longestRetryMs;
    feed.askAgainAt =
      typeof retryAfterMs === 'number'
        ? this.#tools.source.clock() + retryAfterMs
        : this.#later(feed.failures, longest);
  }

  /** A pair of which nothing has come for a day is likely to be traded no more: it costs little to leave it waiting. */
  #longestRetryMs({ stale }: Feed): number {
    const isOld = stale !== null && this.#tools.source.clock() - stale.since > dayMs;
    return isOld ? rareRetryMs : this.#limits.longestRetryMs;
  }

  #later(failures: number, longestMs: number): number {
    return (
      this.#tools.source.clock() + Math.min(longestMs, this.#limits.retryMs * 2 ** Math.min(30, failures - 1))
    );
  }
}
