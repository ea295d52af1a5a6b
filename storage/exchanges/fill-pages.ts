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

/** All trades after the cursor, as far back as the exchange tells; null when they are more than are read at a time. */
export const readTrades = (
  { id }: Pick<Exchange, 'id'>,
  ask: AskTrades,
  cursor: string | null,
  nowMs: number,
): Promise<TradePages | null> => (id === 'binance' ? readById(ask, cursor) : readByTime(ask, cursor, nowMs));

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
 * halved. The cursor is the time of the last trade and the ids of those of that time.
 */
async function readByTime(ask: AskTrades, cursor: string | null, nowMs: number): Promise<TradePages | null> {
  const [since, ...known] = (cursor ?? String(nowMs - historyWeeks * weekMs)).split(',');
  const seen = new Set(known);
  const trades: Trade[] = [];
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
    const fresh = page.filter(({ id }) => !seen.has(id!));
    for (const { id } of fresh) seen.add(id!);
    trades.push(...fresh);
    fromMs = untilMs;
    windowMs = weekMs;
  }
  trades.sort((left, right) => left.timestamp! - right.timestamp!);
  const last = trades.at(-1)?.timestamp;
  if (last === undefined) return { trades, cursor: cursor ?? String(Number(since)) };
  const ids = trades.filter(({ timestamp }) => timestamp === last).map(({ id }) => id!);
  return { trades, cursor: [String(last), ...ids].join() };
}
