import { AppError } from '../../../compute/model/errors.js';
import type { Urgency } from '../../../storage/exchanges/request-limit.js';
import type { TradingVenue } from '../../../storage/exchanges/trading-venue.js';
import type { Storage } from '../../../storage/index.js';
import type { Log } from '../../../storage/process/log.js';
import type { PartnerSlot, StoredExecution } from '../../../storage/signals/stored-execution.js';
import { accountDifferences } from './account-differences.js';
import { explainForeign, type ExplainTools } from './explain-foreign.js';

export interface ReconcileTools extends ExplainTools {
  storage: Pick<Storage, 'executions' | 'foreignOrders' | 'subscriptions'>;
  /** Called for executions that have something to apply. */
  wake: (slots: readonly PartnerSlot[]) => Promise<void>;
  log: Pick<Log, 'warn'>;
}

/** How often a comparison is repeated because something was stored meanwhile. Then the account is left for later. */
const mostTries = 5;

/**
 * Compares the account of a user on a venue with what is stored, and lets executions apply the differences. Answers whether
 * there were none. A difference without an explanation, an order that has an id of this service and is not stored, and a
 * key that the exchange does not accept, pause the account. Throws `exchange_unavailable`.
 */
export async function reconcileAccount(
  tools: ReconcileTools,
  venue: TradingVenue,
  account: { userId: string; urgency: Urgency },
): Promise<boolean> {
  try {
    for (let tries = 0; tries < mostTries; tries++) {
      const isEqual = await compare(tools, venue, account);
      if (isEqual !== null) return isEqual;
    }
    return false;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'exchange_refused') throw error;
    await pauseAccount(tools, venue.id, {
      userId: account.userId,
      reason: `the account cannot be read: ${error.message}`,
    });
    return false;
  }
}

/** Compares the account once; null if something was stored meanwhile. */
async function compare(
  tools: ReconcileTools,
  venue: TradingVenue,
  { userId, urgency }: { userId: string; urgency: Urgency },
): Promise<boolean | null> {
  const { executions: stored } = tools.storage;
  // The stored state is read first, so that what is newer on the exchange never counts as lost.
  const executions = await stored.openOf(userId, venue.id);
  if (executions.length === 0) return true;
  const [holdings, positions] = await Promise.all([
    venue.holdings(userId, urgency),
    venue.positions(userId, urgency),
  ]);
  // Orders are read last: if they are as stored, no trade has changed the holdings meanwhile.
  const open = await venue.openOrders(userId, urgency);
  // Each order is stored before it is sent. So if nothing was stored meanwhile, nothing was sent.
  if (!isAsBefore(executions, await stored.openOf(userId, venue.id))) return null;
  const { observed, unexplained, foreign } = accountDifferences({
    ...{ executions, holdings, positions, open },
    ...(venue.sharedWallet && { sharedWallet: venue.sharedWallet }),
  });
  const { lost, unknown } = await explainForeign(tools, { userId, exchange: venue.id, foreign });
  const reason = unexplained ?? unknown;
  if (reason !== null) await pauseAccount(tools, venue.id, { userId, reason });
  const changed = executions.filter(({ id }) => observed.has(id));
  for (const execution of changed) await stored.observe(execution, observed.get(execution.id)!, Date.now());
  for (const [execution, lookUp] of lost)
    await stored.observe(execution, { lookUp, held: null, paused: null }, Date.now());
  await tools.wake([...changed, ...lost.keys()]);
  return changed.length === 0 && lost.size === 0 && reason === null;
}

const isAsBefore = (before: readonly StoredExecution[], now: readonly StoredExecution[]): boolean =>
  before.length === now.length &&
  before.every(({ id, revision }, n) => now[n].id === id && now[n].revision === revision);

/** Pauses the subscriptions of a user on an exchange, and says why on the timelines. A second time changes nothing. */
async function pauseAccount(
  { storage, wake, log }: ReconcileTools,
  exchange: string,
  { userId, reason }: { userId: string; reason: string },
): Promise<void> {
  const followed = (await storage.subscriptions.ofUser(userId)).filter((each) => each.exchange === exchange);
  if (followed.every(({ isPaused }) => isPaused)) return;
  log.warn({ userId, exchange, reason }, 'account paused');
  await storage.subscriptions.pauseFor(userId, exchange, reason);
  const executions = await storage.executions.openOf(userId, exchange);
  const paused = `the account was paused: ${reason}`;
  const changed: string[] = [];
  for (const execution of executions)
    if (!(await storage.executions.observe(execution, { lookUp: [], held: null, paused }, Date.now())))
      changed.push(execution.id);
  // A worker that has just advanced them may have read the subscription before the pause.
  await storage.executions.wake(changed, Date.now());
  await wake(executions);
}
