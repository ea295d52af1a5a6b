import { AppError } from '../../../compute/model/errors.js';
import { parsePair, type PairSymbols } from '../../../compute/model/market-pair.js';
import type { TradingAccount } from '../../../compute/model/trading-account.js';
import type { Urgency } from '../../../storage/exchanges/request-limit.js';
import type { TradingVenue } from '../../../storage/exchanges/trading-venue.js';
import type { Storage } from '../../../storage/index.js';
import { tellOwner } from '../../../storage/mail/tell-owner.js';
import type { Log } from '../../../storage/process/log.js';
import type {
  MarketLine,
  ObservedDifferences,
  PartnerSlot,
  StoredExecution,
} from '../../../storage/signals/stored-execution.js';
import type { Subscription } from '../../../storage/signals/subscription.js';
import { accountDifferences } from './account-differences.js';
import { explainForeign, type ExplainTools } from './explain-foreign.js';

export interface ReconcileTools extends ExplainTools {
  storage: Pick<
    Storage,
    'connections' | 'executions' | 'foreignOrders' | 'mails' | 'subscriptions' | 'users'
  >;
  /** Called for executions that have something to apply. */
  wake: (slots: readonly PartnerSlot[]) => Promise<void>;
  log: Pick<Log, 'info' | 'warn'>;
}

/** An account: of a user, on an exchange. */
interface AccountName {
  userId: string;
  exchange: string;
}

export interface HowRead {
  urgency: Urgency;
  /** Whether more is read than its executions need, so that orders of others are seen. */
  isWhole: boolean;
}

/** How often a comparison is repeated because something was stored meanwhile. Then the account is left for later. */
const mostTries = 5;

/**
 * Compares the account of a user on a venue with what is stored, and lets executions apply the differences. Answers whether
 * there were none. The account is paused by a difference without an explanation, an order that has an id of this service and is
 * not stored, and a refusal. The pause ends by itself after three good comparisons in a row, unless the exchange refuses the key:
 * then its owner is told by mail, and ends it. Throws `exchange_unavailable`.
 */
export async function reconcileAccount(
  tools: ReconcileTools,
  venue: TradingVenue,
  { userId, ...how }: { userId: string } & HowRead,
): Promise<boolean> {
  const account = { userId, exchange: venue.id };
  try {
    for (let tries = 0; tries < mostTries; tries++) {
      const isEqual = await compare(tools, venue, account, how);
      if (isEqual !== null) return isEqual;
    }
    return false;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await tools.storage.subscriptions.noteRead(userId, venue.id, false);
    if (error.code !== 'exchange_refused') throw error;
    await pauseAccount(tools, account, `the account cannot be read: ${error.message}`, error.details.reason);
    return false;
  }
}

/** Pauses the account of a user whose key the exchange refuses, although nothing of it is open that a comparison would read. */
export async function checkKey(
  tools: ReconcileTools,
  venue: TradingVenue,
  userId: string,
  pair: PairSymbols,
): Promise<void> {
  try {
    await venue.holdings(userId, { only: [{ account: 'SPOT', pair }] });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const account = { userId, exchange: venue.id };
    if (isForOwner(error.details.reason))
      await pauseAccount(
        tools,
        account,
        `the account cannot be read: ${error.message}`,
        error.details.reason,
      );
  }
}

/** Whether the exchange refuses the key itself, or there is none any more: only the owner can mend that. */
const isForOwner = (refusal: unknown): boolean => refusal === 'key' || refusal === 'connection';

/** Compares the account once; null if something was stored meanwhile. */
async function compare(
  tools: ReconcileTools,
  venue: TradingVenue,
  account: AccountName,
  { urgency, isWhole }: HowRead,
): Promise<boolean | null> {
  const { userId, exchange } = account;
  const { executions: stored, subscriptions } = tools.storage;
  // The stored state is read first, so that what is newer on the exchange never counts as lost.
  const before = await stored.openOf(userId, exchange);
  // What has paused an account may be anywhere on it.
  const isPaused = (await subscriptions.ofUser(userId)).some(endsItself);
  if (before.length === 0 && !isPaused) return true;
  const only = before.map(({ account: of, pair }) => ({ account: of, pair: parsePair(pair)! }));
  const planned = before.filter(({ state }) => state !== null);
  const reading = {
    urgency,
    needed: new Set(planned.map((each) => each.account)),
    ...(!isWhole && !isPaused && { only }),
  };
  // What the paper exchange answers is never behind.
  const readAtMs = venue.lateMs === undefined ? Infinity : Date.now();
  const [holdings, positions] = await Promise.all([
    venue.holdings(userId, reading),
    venue.positions(userId, reading),
  ]);
  // Orders are read last: if they are as stored, no trade has changed the holdings meanwhile.
  const open = await venue.openOrders(userId, reading);
  const executions = await stored.openOf(userId, exchange);
  // Each order is stored before it is sent. So if no order is stored otherwise than before, none was sent.
  if (ordersIn(before) !== ordersIn(executions)) return null;
  const { observed, unexplained, foreign, isUnsettled } = accountDifferences({
    readAtMs,
    executions,
    holdings,
    positions,
    open,
    ...(venue.sharedWallet && { sharedWallet: venue.sharedWallet }),
  });
  for (const { id, line } of await untraded(venue, executions, Date.now()))
    observed.set(id, { ...(observed.get(id) ?? { lookUp: [], held: null }), line });
  const { lost, unknown } = await explainForeign(tools, { userId, exchange, foreign, only: reading.only });
  const reason = unexplained ?? unknown;
  if (reason === null) await noteGoodRead(tools, account);
  else await pauseAccount(tools, account, reason);
  const changed = executions.filter(({ id }) => observed.has(id));
  for (const execution of changed) await stored.observe(execution, observed.get(execution.id)!, Date.now());
  for (const [execution, lookUp] of lost)
    await stored.observe(execution, { lookUp, held: null, line: null }, Date.now());
  await tools.wake([...changed, ...lost.keys()]);
  // Own coins owe less, too, so that alone is no difference.
  const isEqual = changed.every(({ id }) => observed.get(id)!.isOwedLess);
  return isEqual && lost.size === 0 && reason === null && !isUnsettled;
}

/** How long (ms) a market is halted until its owner is told by mail, too: most halts last minutes, and some exchanges tell a coin that is gone in the same words. */
const longHaltMs = 1_800_000;

const marketLines: ReadonlySet<string> = new Set<MarketLine>(['market_halted', 'not_traded', 'traded_again']);

/** The executions that hold what a real exchange does not trade, or trades again, with what their owners have to be told once. */
async function untraded(
  venue: TradingVenue,
  executions: readonly StoredExecution[],
  nowMs: number,
): Promise<(Pick<StoredExecution, 'id'> & Pick<ObservedDifferences, 'line'>)[]> {
  if (venue.lateMs === undefined) return [];
  const held = executions.filter(({ state }) => state && state.position.quantity !== '0');
  const found = held.map(async ({ id, pair, account, events }) => {
    const last = events.findLast(({ type }) => marketLines.has(type));
    const known = last ? (last.type as MarketLine) : 'traded_again';
    const now = await marketNow(venue, { pair: parsePair(pair)!, account }).catch(ifUnanswered);
    const isLong = known === 'market_halted' && nowMs - last!.at.getTime() >= longHaltMs;
    const type = now === 'market_halted' && (isLong || known === 'not_traded') ? 'not_traded' : now;
    if (type === undefined || type === known) return [];
    return [{ id, line: { type, cause: `${venue.id} ${marketWords[type](`${pair} on ${account}`)}` } }];
  });
  return (await Promise.all(found)).flat();
}

async function marketNow(
  venue: TradingVenue,
  { pair, account }: { pair: PairSymbols; account: TradingAccount },
): Promise<MarketLine> {
  if ((await venue.rules(pair, account)) !== null) return 'traded_again';
  return (await venue.isHalted?.(pair, account)) ? 'market_halted' : 'not_traded';
}

const marketWords: Record<MarketLine, (market: string) => string> = {
  market_halted: (market) =>
    `has halted trading of ${market}: until it trades again no order for it can be placed, and no stop sells it; this goes on by itself`,
  not_traded: (market) =>
    `does not trade ${market} now: no order for it can be placed, and no stop sells it; what is held can be sold or withdrawn there once the exchange allows it`,
  traded_again: (market) => `trades ${market} again`,
};

function ifUnanswered(error: unknown): undefined {
  if (error instanceof AppError) return undefined;
  throw error;
}

/** The orders of executions, as far as they are compared. A price that moves a stop, or an order that still waits, changes nothing of it. */
const ordersIn = (executions: readonly StoredExecution[]): string =>
  JSON.stringify(
    executions.map(({ id, orders, state }) => [
      id,
      state !== null,
      state?.position.quantity,
      ...orders
        .filter(({ status }) => status !== 'planned')
        .map(({ clientOrderId, status, filled }) => [clientOrderId, status, filled]),
    ]),
  );

const endsItself = ({ goodReads }: Subscription): boolean => typeof goodReads === 'number';

/** Pauses the subscriptions of an account, and says why on the timelines. A second time changes nothing there. */
export async function pauseAccount(
  tools: Omit<ReconcileTools, 'shown'>,
  account: AccountName,
  why: string,
  refusal?: unknown,
): Promise<void> {
  const { storage, log } = tools;
  const { userId, exchange } = account;
  const isLasting = isForOwner(refusal);
  const reason = isLasting ? why : `${why}; it resumes by itself once this has passed`;
  const followed = (await storage.subscriptions.ofUser(userId)).filter((each) => each.exchange === exchange);
  const isNew = followed.some((each) => !each.isPaused || (isLasting && endsItself(each)));
  await storage.subscriptions.pauseFor(userId, exchange, reason, !isLasting);
  if (!isNew) return;
  log.warn({ ...account, reason }, 'account paused');
  if (refusal === 'key') await tellOwner(storage, userId, 'key');
  await tell(tools, account, { type: 'account_paused', cause: `the account was paused: ${reason}` });
}

/** Ends pauses after three good readings in a row. */
async function noteGoodRead(tools: ReconcileTools, account: AccountName): Promise<void> {
  const { userId, exchange } = account;
  if ((await tools.storage.subscriptions.noteRead(userId, exchange, true)) === 0) return;
  tools.log.info({ ...account }, 'account resumed');
  const cause = 'the account was read as expected three times in a row: it is no longer paused';
  await tell(tools, account, { type: 'account_resumed', cause });
}

/** Adds a line to the timelines of the open executions on an account. */
async function tell(
  { storage, wake }: Pick<ReconcileTools, 'storage' | 'wake'>,
  { userId, exchange }: AccountName,
  line: ObservedDifferences['line'],
): Promise<void> {
  const executions = await storage.executions.openOf(userId, exchange);
  const changed: string[] = [];
  for (const execution of executions)
    if (!(await storage.executions.observe(execution, { lookUp: [], held: null, line }, Date.now())))
      changed.push(execution.id);
  // A worker that has just advanced them may have read the subscription before the pause.
  await storage.executions.wake(changed, Date.now());
  await wake(executions);
}
