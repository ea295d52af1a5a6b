import type { Decimal } from '../../../compute/model/decimal.js';
import { groupBy } from '../../../compute/model/group-by.js';
import { parsePair } from '../../../compute/model/market-pair.js';
import { utcDayStart } from '../../../compute/model/utc-day.js';
import type { TradingVenue } from '../../../storage/exchanges/trading-venue.js';
import type { Storage } from '../../../storage/index.js';
import type { OpenExecution } from '../../../storage/ledger/open-executions.js';
import type { StoredOrder } from '../../../storage/signals/stored-execution.js';
import type { Subscription } from '../../../storage/signals/subscription.js';
import type { ExecutionRun } from '../run/execution-run.js';
import { countClaim, valueClaim } from './claims-of.js';
import { entryVerdict, type EntryVerdict } from './entry-verdict.js';
import { lostToday, type LossLine } from './losses-today.js';

export interface GuardTools {
  storage: Pick<Storage, 'executions' | 'openExecutions' | 'trades'>;
  venues: ReadonlyMap<string, TradingVenue>;
}

/** An entry order that is stored and was not sent, with the subscription that limits it. */
export interface GuardedOrder {
  run: ExecutionRun;
  order: StoredOrder;
  subscription: Subscription;
}

/**
 * How long an order waits for orders that claim the same limit, which is longer than the outcome of an order can be unknown, or
 * for a balance.
 */
const mostWaitMs = 60_000;

/** An amount was computed from the balance when its execution was created. After this time it is compared with the present balance. */
const freshMs = 60_000;

/**
 * Refuses entry orders that the limits of their subscribers do not allow, and defers orders while others claim the same limit.
 * It is called after the orders are stored and before they are sent: `admitClaim` says why several workers or signals cannot
 * exceed a limit together. Limits other than the number of signals are checked only if they are set or the amount is not
 * fresh.
 */
export async function guardEntries(
  tools: GuardTools,
  orders: readonly GuardedOrder[],
  nowMs: number,
): Promise<void> {
  if (orders.length === 0) return;
  const subscriptionIds = [...new Set(orders.map(({ subscription }) => subscription.id))];
  const counts = await tools.storage.executions.countOpen(subscriptionIds);
  const close = orders.filter(({ run, subscription }) => {
    const { maxDailyLoss, maxOpenSignals, maxTotalExposure, id } = subscription;
    const isLate = nowMs - run.stored.createdAt.getTime() > freshMs;
    return (
      (counts.get(id) ?? 0) > maxOpenSignals || maxDailyLoss !== null || maxTotalExposure !== null || isLate
    );
  });
  if (close.length === 0) return;
  const facts = await readFacts(tools, close, nowMs);
  for (const each of close) apply(each, verdictOf(each, facts, nowMs), nowMs);
}

interface GuardFacts {
  open: ReadonlyMap<string, OpenExecution[]>;
  booked: ReadonlyMap<string, LossLine[]>;
  free: ReadonlyMap<string, Decimal>;
}

async function readFacts(
  { storage, venues }: GuardTools,
  orders: readonly GuardedOrder[],
  nowMs: number,
): Promise<GuardFacts> {
  const userIds = [...new Set(orders.map(({ run }) => run.stored.userId))];
  const free = new Map<string, Decimal>();
  for (const group of groupBy(orders, balanceOf).values()) {
    const { exchange, account, pair } = group[0].run.stored;
    const users = group.map(({ run }) => run.stored.userId);
    const isolated = isIsolated(group[0]) ? parsePair(pair)! : undefined;
    const found = await venues.get(exchange)?.freeBalances(users, quoteOf(group[0]), account, isolated);
    for (const [userId, amount] of found ?? [])
      if (!('unknown' in amount)) free.set(`${userId} ${balanceOf(group[0])}`, amount);
  }
  // Read before the booked trades: see `lostToday`.
  const open = groupBy(await storage.openExecutions.ofUsers(userIds), ({ userId }) => userId);
  const midnight = new Date(utcDayStart(nowMs));
  const booked = groupBy(await storage.trades.closedSince(userIds, midnight), ({ userId }) => userId);
  return { open, booked, free };
}

function verdictOf(guarded: GuardedOrder, { open, booked, free }: GuardFacts, nowMs: number): EntryVerdict {
  const { run, subscription } = guarded;
  const { id, userId, exchange, account } = run.stored;
  const quote = quoteOf(guarded);
  const own = open.get(userId) ?? [];
  const going = own.filter(({ endedAt }) => endedAt === null);
  const beside = going.filter(
    (each) => each.exchange === exchange && each.account === account && each.pair.endsWith(`/${quote}`),
  );
  return entryVerdict({
    executionId: id,
    subscription,
    counts: going.filter((each) => each.subscriptionId === subscription.id).map(countClaim),
    values: beside.map(valueClaim),
    free: free.get(`${userId} ${balanceOf(guarded)}`) ?? null,
    lost: lostToday({ userId, exchange, quote }, own, booked.get(userId) ?? [], nowMs),
    quote,
  });
}

function apply({ run, order }: GuardedOrder, verdict: EntryVerdict, nowMs: number): void {
  if (verdict === 'allowed') return;
  if (typeof verdict === 'object') return run.refuseEntry(order, verdict.refused, nowMs);
  const { now, tooLong } = waits[verdict];
  if (nowMs - order.createdAt.getTime() < mostWaitMs) return run.defer(order, now, nowMs);
  run.refuseEntry(order, tooLong, nowMs);
}

/** What the timeline says of an order that waits, and of one that has waited for too long. */
const waits = {
  wait: {
    now: 'other signals ask for the same limit at this moment',
    tooLong: 'other signals have asked for the same limit for too long',
  },
  unread: {
    now: 'a limit of the subscription depends on the balance, which cannot be read at this moment',
    tooLong: 'a limit of the subscription depends on the balance, which could not be read for too long',
  },
};

const quoteOf = ({ run }: GuardedOrder): string => parsePair(run.stored.pair)!.quote;

/** Each pair has an account of its own on isolated margin. */
const isIsolated = ({ run: { stored } }: GuardedOrder): boolean =>
  stored.account === 'MARGIN' && stored.marginMode === 'ISOLATED';

const balanceOf = (guarded: GuardedOrder): string => {
  const { exchange, account, pair } = guarded.run.stored;
  return `${exchange} ${account} ${isIsolated(guarded) ? pair : quoteOf(guarded)}`;
};
