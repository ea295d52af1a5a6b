import { intervalMs } from '../../compute/model/interval.js';
import type { HeldLease } from '../../storage/servers/lease.js';
import type { Storage } from '../../storage/index.js';
import type { Log } from '../../storage/process/log.js';
import type { Pair } from '../../storage/candles/series.js';
import type { MarketDataSource } from '../../storage/exchanges/market-data-source.js';
import { pairName } from '../../compute/model/market-pair.js';
import { hoursBetween, readRows } from './read-rows.js';

export interface FillTools {
  storage: Pick<Storage, 'candles'>;
  source: MarketDataSource;
  log: Log;
  /** The lease of the pair. */
  lease: Pick<HeldLease, 'confirm' | 'signal'>;
}

/** The result of requesting a range of hours. */
export interface FilledHours {
  stored: number;
  /** Rows that were no valid candles. */
  refused: number;
  /** Whether the range was requested to its end. */
  complete: boolean;
}

const hourMs = intervalMs('1h');

/** The time after the close of an hour in which the exchange may still change it. */
export const settleMs = 2_000;

/** The full hour up to which all hours are closed and final at `nowMs`. */
export const closedUntil = (nowMs: number): number => Math.floor((nowMs - settleMs) / hourMs) * hourMs;

/**
 * Requests the hours from `fromMs` up to, not including, `toMs` page by page and stores each page before the next, so that
 * an interruption loses one page at most. Hours that are not closed are never stored. After `maxPages` it ends as soon as
 * anything is stored. Throws as the source and the storage do, and `lease_lost`; the pages before the error are stored.
 */
export async function fillHours(
  { storage, source, log, lease }: FillTools,
  pair: Pair,
  { fromMs, toMs, maxPages = Infinity }: { fromMs: number; toMs: number; maxPages?: number },
): Promise<FilledHours> {
  const filled = { stored: 0, refused: 0 };
  let nextMs = fromMs;
  for (let page = 0; nextMs < toMs; page++) {
    if (page >= maxPages && filled.stored > 0) return { ...filled, complete: false };
    // One hour more than is missing: the open hour costs nothing, and some exchanges refuse a limit of 1.
    const limit = Math.min(hoursBetween(nextMs, toMs) + 1, source.pageHours);
    lease.signal.throwIfAborted();
    const rows = await source.hours(pair, nextMs, limit);
    const { candles, refused } = readRows(rows, nextMs, Math.min(toMs, closedUntil(source.clock())));
    const { time } = candles;
    if (time.length > 0) {
      await lease.confirm();
      const { stored, conflicts } = await storage.candles.add(pair, candles);
      if (conflicts.length > 0) refused.set('differs from the stored candle of that hour', conflicts.length);
      filled.stored += stored;
    }
    for (const rowCount of refused.values()) filled.refused += rowCount;
    if (refused.size > 0) {
      log.warn(
        { pair: pairName(pair), from: nextMs, refused: Object.fromEntries(refused) },
        'bad candle rows',
      );
    }
    // After a page without a candle, the next page starts behind the requested hours.
    nextMs = time.length > 0 ? time[time.length - 1] + hourMs : nextMs + limit * hourMs;
  }
  return { ...filled, complete: true };
}
