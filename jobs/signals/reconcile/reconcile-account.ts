import { AppError } from '../../../compute/model/errors.js';
import type { TradingVenue } from '../../../storage/exchanges/trading-venue.js';
import type { Storage } from '../../../storage/index.js';
import type { Log } from '../../../storage/process/log.js';
import type { PartnerSlot, StoredExecution } from '../../../storage/signals/stored-execution.js';
import { accountDifferences } from './account-differences.js';

export interface ReconcileTools {
  storage: Pick<Storage, 'executions' | 'subscriptions'>;
  /** Called for executions that have something to apply. */
  wake: (slots: readonly PartnerSlot[]) => Promise<void>;
  log: Pick<Log, 'info' | 'warn'>;
}

/** Comparisons that are begun anew because something was stored meanwhile, before the account is left for later. */
const mostTries = 5;

/**
 * Compares the account of a user on a venue with what is stored, and lets executions apply the differences. Answers whether
 * there were none. A difference without an explanation, and a key that the exchange does not accept, pause the account.
 * Throws `exchange_unavailable`.
 */
export async function reconcileAccount(
  tools: ReconcileTools,
  venue: TradingVenue,
  userId: string,
): Promise<boolean> {
  try {
    for (let tries = 0; tries < mostTries; tries++) {
      const isEqual = await compare(tools, venue, userId);
      if (isEqual !== null) return isEqual;
    }
    return false;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'exchange_refused') throw error;
    await pauseAccount(tools, venue.id, { userId, reason: `the account cannot be read: ${error.message}` });
    return false;
  }
}

/** Null: something was stored meanwhile. */
async function compare(tools: ReconcileTools, venue: TradingVenue, userId: string): Promise<boolean | null> {
  const { executions: stored } = tools.storage;
  // Stored first: what is newer on the exchange is found, and never taken for lost.
  const executions = await stored.openOf(userId, venue.id);
  if (executions.length === 0) return true;
  const [holdings, positions] = await Promise.all([venue.holdings(userId), venue.positions(userId)]);
  // Orders last: when they are as they are stored, nothing was traded since that changed the holdings.
  const open = await venue.openOrders(userId);
  // Each order is stored before it is sent: nothing was sent meanwhile if nothing was stored.
  if (!isAsBefore(executions, await stored.openOf(userId, venue.id))) return null;
  const { observed, unexplained, foreign } = accountDifferences({
    ...{ executions, holdings, positions, open },
    ...(venue.sharedWallet && { sharedWallet: venue.sharedWallet }),
  });
  if (foreign.length > 0)
    tools.log.info({ userId, exchange: venue.id, orders: foreign }, 'open orders that no signal has placed');
  if (unexplained !== null) await pauseAccount(tools, venue.id, { userId, reason: unexplained });
  const changed = executions.filter(({ id }) => observed.has(id));
  for (const execution of changed) await stored.observe(execution, observed.get(execution.id)!, Date.now());
  await tools.wake(changed);
  return changed.length === 0 && unexplained === null;
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
  await storage.subscriptions.setPaused(userId, true, exchange);
  const executions = await storage.executions.openOf(userId, exchange);
  const paused = `the account was paused: ${reason}`;
  for (const execution of executions)
    await storage.executions.observe(execution, { lookUp: [], held: null, paused }, Date.now());
  await wake(executions);
}
