import type { Trade } from 'ccxt';
import { maxPages, type AskTrades, type ReadTrades } from './read-trades.js';

export interface TradesByTimeOptions {
  /** The largest page that the exchange serves. */
  pageSize: number;
  /** The longest span of time that one request may ask for. */
  windowDays: number;
  /** How far back the history is read. */
  historyDays: number;
  /** Further parameters of each request. */
  params?: object;
  /** What follows a full page. Default: that is always unknown. */
  after?: (page: readonly Trade[]) => AfterPage;
}

/** What follows a full page of a list: nothing, a page that these parameters name, or the exchange does not say. */
export type AfterPage = 'nothing' | { params: object } | 'unknown';

const dayMs = 86_400_000;
/** An exchange may list a trade this long after it happened. */
const listingDelayMs = 600_000;

/**
 * Paging for exchanges that list the trades of a span of time, the newest or the oldest first. After a full page the list is
 * continued; where that is not possible, the span is halved and asked for again. The cursor is a time `listingDelayMs` before now, and the ids of the trades that
 * are known since then.
 */
export const tradesByTime =
  (options: TradesByTimeOptions): ReadTrades =>
  async (ask, cursor, nowMs) => {
    const [since, ...known] = (cursor ?? String(nowMs - options.historyDays * dayMs)).split(',');
    const found = await readSpan(options, ask, Number(since), nowMs);
    if (!found) return null;
    const sinceMs = Math.max(Number(since), nowMs - listingDelayMs);
    const recent = [...found.values()].filter(({ timestamp }) => timestamp! >= sinceMs).map(({ id }) => id!);
    for (const id of known) found.delete(id);
    const trades = [...found.values()].sort((left, right) => left.timestamp! - right.timestamp!);
    return { trades, cursor: [String(sinceMs), ...recent].join() };
  };

/** The trades of a span of time by id; null when `maxPages` requests do not suffice, or a millisecond has too many of them. */
async function readSpan(
  { pageSize, windowDays, params, after: afterFull = () => 'unknown' }: TradesByTimeOptions,
  ask: AskTrades,
  sinceMs: number,
  nowMs: number,
): Promise<Map<string, Trade> | null> {
  const found = new Map<string, Trade>();
  const maxWindowMs = windowDays * dayMs;
  let fromMs = sinceMs;
  let windowMs = maxWindowMs;
  let after: AfterPage = 'nothing';
  for (let pages = 0; fromMs < nowMs; pages++) {
    if (pages === maxPages) return null;
    const untilMs = Math.min(fromMs + windowMs, nowMs);
    const next = typeof after === 'object' ? after.params : {};
    const page = await ask(fromMs, pageSize, { until: untilMs, ...params, ...next });
    for (const trade of page) found.set(trade.id!, trade);
    after = page.length < pageSize ? 'nothing' : afterFull(page);
    if (typeof after === 'object') continue;
    if (after === 'unknown') {
      if (untilMs - fromMs <= 1) return null;
      windowMs = Math.ceil((untilMs - fromMs) / 2);
      continue;
    }
    fromMs = untilMs;
    windowMs = Math.min(maxWindowMs, 2 * windowMs);
  }
  return found;
}
