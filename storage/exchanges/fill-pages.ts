import type { Exchange, Trade } from 'ccxt';

/** Trades in the order in which they happened, and where to go on from. */
export interface TradePages {
  trades: Trade[];
  cursor: string;
}

/** Asks an exchange once for trades. */
export type AskTrades = (sinceMs: number | undefined, limit: number, params: object) => Promise<Trade[]>;

/** Requests that one pair may take at a time; an account that has traded it more is without history here. */
const mostPages = 50;
const idPage = 1_000;
const timePage = 100;
const weekMs = 7 * 86_400_000;
const historyWeeks = 12;
const leastWindowMs = 60_000;
const lateMs = 600_000;

/** All trades after the cursor, as far back as the exchange tells; null when they are more than are read at a time. */
export const readTrades = (
  { id }: Pick<Exchange, 'id'>,
  ask: AskTrades,
  cursor: string | null,
  nowMs: number,
): Promise<TradePages | null> =>
  id === 'binance' ? readById(ask, cursor) : readByTime(id === 'kucoin' ? sized(ask) : ask, cursor, nowMs);

/** KuCoin's older fills go by another name for the limit, which ccxt leaves out: a page of 50 would pass for the last one. */
const sized =
  (ask: AskTrades): AskTrades =>
  (sinceMs, limit, params) =>
    ask(sinceMs, limit, { ...params, pageSize: limit });

/** Ids count up within a pair; the cursor is the first that has not been seen. */
async function readById(ask: AskTrades, cursor: string | null): Promise<TradePages | null> {
  const trades: Trade[] = [];
  let next = BigInt(cursor ?? 0);
  for (let pages = 0; pages < mostPages; pages++) {
    const page = await ask(undefined, idPage, { fromId: String(next) });
    trades.push(...page);
    for (const { id } of page) if (BigInt(id!) >= next) next = BigInt(id!) + 1n;
    if (page.length < idPage) return { trades, cursor: String(next) };
  }
  return null;
}

/**
 * Where an exchange answers for a week at most, and with the newest or oldest of them: a window whose answer is full is
 * halved. The cursor is a time shortly before now, for what an exchange lists late, and the ids that are known since then.
 */
async function readByTime(ask: AskTrades, cursor: string | null, nowMs: number): Promise<TradePages | null> {
  const [since, ...known] = (cursor ?? String(nowMs - historyWeeks * weekMs)).split(',');
  const seen = new Map<string, Trade>();
  let fromMs = Number(since);
  let windowMs = weekMs;
  for (let pages = 0; fromMs < nowMs; pages++) {
    if (pages === mostPages) return null;
    const untilMs = Math.min(fromMs + windowMs, nowMs);
    const page = await ask(fromMs, timePage, { until: untilMs });
    if (page.length >= timePage && untilMs - fromMs > leastWindowMs) {
      windowMs = Math.max(leastWindowMs, (untilMs - fromMs) / 2);
      continue;
    }
    for (const trade of page) seen.set(trade.id!, trade);
    fromMs = untilMs;
    windowMs = Math.min(weekMs, 2 * windowMs);
  }
  const sinceMs = Math.max(Number(since), nowMs - lateMs);
  const ids = [...seen.values()].filter(({ timestamp }) => timestamp! >= sinceMs).map(({ id }) => id!);
  for (const id of known) seen.delete(id);
  const trades = [...seen.values()].sort((left, right) => left.timestamp! - right.timestamp!);
  return { trades, cursor: [String(sinceMs), ...ids].join() };
}
