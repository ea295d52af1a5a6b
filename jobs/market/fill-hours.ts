import { intervalMs } from '../../compute/model/interval.js';
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
}

/** What asking for a range of hours came to. */
export interface Filled {
  stored: number;
  /** Rows that were no candles. */
  refused: number;
  /** Whether the range was asked for to its end. */
  complete: boolean;
}

const hourMs = intervalMs('1h');

/** How long after its end an hour may still change at the exchange. */
export const settleMs = 2_000;

/** The time up to which hours are over at `nowMs`, and not about to change any more: a full hour. */
export const closedUntil = (nowMs: number): number => Math.floor((nowMs - settleMs) / hourMs) * hourMs;

/**
 * Asks for the hours from `fromMs` up to, not including, `toMs` page by page and stores each page before the next, so
 * that a cut loses one page at most. Hours that are not over are never stored. Ends early after `mostPages` once some
 * were stored. Throws as the source does; what came before is stored.
 */
export async function fillHours(
  { storage, source, log }: FillTools,
  pair: Pair,
  { fromMs, toMs, mostPages = Infinity }: { fromMs: number; toMs: number; mostPages?: number },
): Promise<Filled> {
  const filled = { stored: 0, refused: 0 };
  let nextMs = fromMs;
  for (let page = 0; nextMs < toMs; page++) {
    if (page >= mostPages && filled.stored > 0) return { ...filled, complete: false };
    // One more than is wanted: the hour under way comes at no cost and keeps odd limits of 1 away.
    const limit = Math.min(hoursBetween(nextMs, toMs) + 1, source.pageHours);
    const rows = await source.hours(pair, nextMs, limit);
    const { candles, refused } = readRows(rows, nextMs, Math.min(toMs, closedUntil(source.clock())));
    const { time } = candles;
    if (time.length > 0) {
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
    // An answer without a candle: nothing is to be had in these hours now.
    nextMs = time.length > 0 ? time[time.length - 1] + hourMs : nextMs + limit * hourMs;
  }
  return { ...filled, complete: true };
}
