import { setTimeout as pause } from 'node:timers/promises';
import type { Decimal } from '../../../compute/model/decimal.js';
import { AppError } from '../../../compute/model/errors.js';
import { groupBy } from '../../../compute/model/group-by.js';
import { pairName, parsePair } from '../../../compute/model/market-pair.js';
import { utcDayStart } from '../../../compute/model/utc-day.js';
import { hasEntered } from '../../../compute/signals/execution.js';
import { displacedReason, type Connection } from '../../../storage/accounts/connections.js';
import { paperName } from '../../../storage/exchanges/exchange-names.js';
import type { TradingVenue, VenuePosition } from '../../../storage/exchanges/trading-venue.js';
import type { Storage } from '../../../storage/index.js';
import type { OpenExecution } from '../../../storage/ledger/open-executions.js';
import type { StoredOrder } from '../../../storage/signals/stored-execution.js';
import type { Subscription } from '../../../storage/signals/subscription.js';
import { deliveryMs } from '../delivered-execution.js';
import type { ExecutionRun } from '../run/execution-run.js';
import {
  countClaim,
  coinsToSell,
  lastTakenMs,
  reservedByOthers,
  riskClaim,
  valueClaim,
} from './claims-of.js';
import { contractVerdict } from './contract-verdict.js';
import { entryVerdict, type EntryVerdict } from './entry-verdict.js';
import { lostToday, type LossLine } from './losses-today.js';

export interface GuardTools {
  storage: {
    connections: Pick<Storage['connections'], 'displaced' | 'ofUsers'>;
    openExecutions: Pick<Storage['openExecutions'], 'ofUsers'>;
    trades: Pick<Storage['trades'], 'closedSince'>;
  };
  venues: ReadonlyMap<string, TradingVenue>;
}

/** An entry order that is stored and was not sent, with the subscription that limits it. */
export interface GuardedOrder {
  run: ExecutionRun;
  order: StoredOrder;
  subscription: Subscription;
}

/** How long an order waits for orders that claim the same limit: longer than the outcome of an order can be unknown. */
const mostWaitMs = 60_000;

/** How long (ms) an entry waits for what its limits depend on, where the execution holds a position that may have to be sold meanwhile. */
const holdingWaitMs = 1_000;

/**
 * How long (ms) a reading of balances counts: longer than a delivery takes until its orders are placed, so that they need no second
 * one; and by how much clocks of machines may differ.
 */
const balanceMs = deliveryMs + 5_000;
const clockMs = 1_000;

/**
 * Refuses entry orders that the limits of their subscribers do not allow, and defers orders while others claim the same limit.
 * It is called after the orders are stored and before they are sent: `admitClaim` says why several workers or signals cannot
 * exceed a limit together.
 */
export async function guardEntries(
  tools: GuardTools,
  orders: readonly GuardedOrder[],
  nowMs: number,
): Promise<void> {
  const holding = orders.filter(({ run }) => hasEntered(run.state));
  const others = orders.filter((each) => !holding.includes(each));
  await Promise.all([
    decide(others, readFacts(tools, others, nowMs), nowMs),
    decide(holding, within(holdingWaitMs, readFacts(tools, holding, nowMs)), nowMs),
  ]);
}

async function decide(
  orders: readonly GuardedOrder[],
  reading: Promise<GuardFacts | null>,
  nowMs: number,
): Promise<void> {
  const facts = await reading;
  for (const each of orders) apply(each, facts ? verdictOf(each, facts, nowMs) : 'unread', nowMs);
}

const within = <T>(ms: number, work: Promise<T>): Promise<T | null> =>
  Promise.race([work, pause(ms, null, { ref: false })]);

interface GuardFacts {
  open: ReadonlyMap<string, OpenExecution[]>;
  booked: ReadonlyMap<string, LossLine[]>;
  free: ReadonlyMap<string, Decimal>;
  /** By exchange and user; missing where the exchange does not show them. */
  positions: ReadonlyMap<string, readonly VenuePosition[]>;
  /** Orders whose accounts hold longs and shorts of the pair apart; missing where the exchange does not show it, or it is not needed. */
  hedged: ReadonlyMap<GuardedOrder, boolean>;
  /** Exchanges on which all accounts of a user have one wallet. */
  unified: ReadonlySet<string>;
  /** Exchanges and users where another connection executes signals on the same account. */
  displaced: ReadonlySet<string>;
}

async function readFacts(
  tools: GuardTools,
  orders: readonly GuardedOrder[],
  nowMs: number,
): Promise<GuardFacts | null> {
  if (orders.length === 0) return null;
  const { storage } = tools;
  const userIds = [...new Set(orders.map(({ run }) => run.stored.userId))];
  // Read before the balances: an order that is taken in between counts twice, not never. And before the booked trades: see `lostToday`.
  const open = groupBy(await storage.openExecutions.ofUsers(userIds), ({ userId }) => userId);
  const midnight = new Date(utcDayStart(nowMs));
  const [free, positions, hedged, trades, displaced] = await Promise.all([
    freeOf(tools, orders, open),
    positionsOf(tools, orders),
    hedgedOf(tools, orders, open),
    storage.trades.closedSince(userIds, midnight),
    displacedOf(tools, orders, userIds),
  ]);
  return {
    open,
    free,
    positions,
    hedged,
    unified: new Set(
      [...tools.venues].filter(([, { sharedWallet }]) => sharedWallet?.size).map(([name]) => name),
    ),
    booked: groupBy(trades, ({ userId }) => userId),
    displaced: new Set(displaced.map(({ exchange, userId }) => `${exchange} ${userId}`)),
  };
}

/** The connections of the users in place of which others execute signals. The paper exchange has none. */
async function displacedOf(
  { storage: { connections } }: GuardTools,
  orders: readonly GuardedOrder[],
  userIds: readonly string[],
): Promise<Connection[]> {
  if (orders.every(({ run }) => run.stored.exchange === paperName)) return [];
  const found = await connections.ofUsers(userIds);
  return connections.displaced(found.filter(({ userId }) => userIds.includes(userId)));
}

/** The free balances, as they are read now or were a moment ago: after the exchange took the last entry of the user. */
async function freeOf(
  { venues }: GuardTools,
  orders: readonly GuardedOrder[],
  open: ReadonlyMap<string, OpenExecution[]>,
) {
  const readSince = (userId: string) =>
    Math.max(...(open.get(userId) ?? []).map((each) => lastTakenMs(each) + clockMs));

  const free = new Map<string, Decimal>();
  for (const group of groupBy(orders, balanceOf).values()) {
    const { exchange, account, pair } = group[0].run.stored;
    const users = group.map(({ run }) => run.stored.userId);
    const isolated = isIsolated(group[0]) ? parsePair(pair)! : undefined;
    const found = await venues.get(exchange)?.freeBalances(users, quoteOf(group[0]), account, {
      isolated,
      readSince,
      maxAgeMs: balanceMs,
    });
    for (const [userId, amount] of found ?? [])
      if (!('unknown' in amount)) free.set(`${userId} ${balanceOf(group[0])}`, amount);
  }
  return free;
}

/** The positions of those users whose orders would open one. */
async function positionsOf({ venues }: GuardTools, orders: readonly GuardedOrder[]) {
  const opening = orders.filter(({ run, order }) => run.stored.account !== 'SPOT' && run.isNew(order));
  const positions = new Map<string, readonly VenuePosition[]>();
  // The accounts of users are read at the same time, and of each only what the orders are about.
  await Promise.all(
    [...groupBy(opening, holderOf)].map(async ([key, group]) => {
      const { exchange, userId } = group[0].run.stored;
      const only = group.map(({ run: { stored } }) => {
        return { account: stored.account, pair: parsePair(stored.pair)! };
      });
      const found = await venues.get(exchange)?.positions(userId, { only }).catch(notShown);
      if (found) positions.set(key, found);
    }),
  );
  return positions;
}

/** Which orders may stand beside the other side of their pair, where there is one. */
async function hedgedOf(
  { venues }: GuardTools,
  orders: readonly GuardedOrder[],
  open: ReadonlyMap<string, OpenExecution[]>,
) {
  const hedged = new Map<GuardedOrder, boolean>();
  await Promise.all(
    orders.map(async (order) => {
      const { userId, exchange, account, pair, state } = order.run.stored;
      const meets = (each: OpenExecution) =>
        each.exchange === exchange && each.pair === pair && each.state?.side !== state?.side;
      const venue = venues.get(exchange);
      const isAsked = account === 'FUTURES' && venue?.isHedged && open.get(userId)?.some(meets);
      const found = isAsked ? await venue.isHedged!(userId, parsePair(pair)!).catch(notShown) : false;
      if (found !== null) hedged.set(order, found);
    }),
  );
  return hedged;
}

function notShown(error: unknown): null {
  if (error instanceof AppError && error.code.startsWith('exchange_')) return null;
  throw error;
}

const holderOf = ({ run: { stored } }: GuardedOrder): string => `${stored.exchange} ${stored.userId}`;

function verdictOf(guarded: GuardedOrder, facts: GuardFacts, nowMs: number): EntryVerdict {
  const { run, subscription } = guarded;
  const { id, userId, exchange, account } = run.stored;
  const quote = quoteOf(guarded);
  if (run.isNew(guarded.order) && facts.displaced.has(holderOf(guarded))) return { refused: displacedReason };
  const own = facts.open.get(userId) ?? [];
  const going = own.filter(({ endedAt }) => endedAt === null);
  const onExchange = going.filter((each) => each.exchange === exchange && each.pair.endsWith(`/${quote}`));
  const onAccount = onExchange.filter((each) => each.account === account);
  const beside = facts.unified.has(exchange) ? onExchange : onAccount;
  const contract = onContract(guarded, onAccount, facts);
  if (contract !== 'allowed') return contract;
  const free = facts.free.get(`${userId} ${balanceOf(guarded)}`);
  const inWallet = going.filter(
    (each) =>
      [each, run.stored].every(holdsCoins) &&
      each.exchange === exchange &&
      (each.account === account || facts.unified.has(exchange)),
  );
  return entryVerdict({
    executionId: id,
    subscription,
    counts: going.filter((each) => each.subscriptionId === subscription.id).map(countClaim),
    values: beside.map(valueClaim),
    risks: onExchange.map(riskClaim),
    free: free?.minus(coinsToSell(quote, inWallet)) ?? null,
    reserved: run.isNew(guarded.order) ? reservedByOthers(beside, id) : null,
    lost: lostToday({ userId, exchange, quote }, own, facts.booked.get(userId) ?? [], nowMs),
    quote,
  });
}

function onContract(
  guarded: GuardedOrder,
  beside: readonly OpenExecution[],
  { positions, hedged }: GuardFacts,
): EntryVerdict {
  const { id, account, pair } = guarded.run.stored;
  const onPair = beside.filter((each) => each.pair === pair);
  const own = onPair.find((each) => each.id === id);
  if (account === 'SPOT' || !own) return 'allowed';
  const isNew = guarded.run.isNew(guarded.order);
  const shown = isNew ? positions.get(holderOf(guarded)) : [];
  const isHere = (each: VenuePosition) => each.account === account && pairName(each.pair) === pair;
  return contractVerdict({
    own,
    others: onPair.filter((each) => each.id !== id),
    positions: shown?.filter(isHere) ?? null,
    isHedged: hedged.get(guarded) ?? null,
  });
}

function apply({ run, order }: GuardedOrder, verdict: EntryVerdict, nowMs: number): void {
  if (verdict === 'allowed') return;
  if (typeof verdict === 'object') return run.refuseEntry(order, verdict.refused, nowMs);
  // While an exchange does not answer, the entry waits as long as its time lasts: it has its worst price.
  if (verdict === 'unread') return run.defer(order, unread, nowMs);
  if (nowMs - order.createdAt.getTime() < mostWaitMs) return run.defer(order, asked, nowMs);
  run.refuseEntry(order, 'other signals have asked for the same limit for too long', nowMs);
}

const asked = 'other signals ask for the same limit at this moment';
const unread = 'a limit of the subscription depends on the account, which cannot be read at this moment';

const quoteOf = ({ run }: GuardedOrder): string => parsePair(run.stored.pair)!.quote;

/** Whether what is bought is in a wallet for all pairs. */
const holdsCoins = ({ account, marginMode }: Pick<OpenExecution, 'account' | 'marginMode'>): boolean =>
  account === 'SPOT' || (account === 'MARGIN' && marginMode === 'CROSS');

/** Each pair has an account of its own on isolated margin. */
const isIsolated = ({ run: { stored } }: GuardedOrder): boolean =>
  stored.account === 'MARGIN' && stored.marginMode === 'ISOLATED';

const balanceOf = (guarded: GuardedOrder): string => {
  const { exchange, account, pair } = guarded.run.stored;
  return `${exchange} ${account} ${isIsolated(guarded) ? pair : quoteOf(guarded)}`;
};
