import { AppError } from '../../compute/model/errors.js';
import type { Account } from '../../storage/accounts/accounts.js';
import type { Connection } from '../../storage/accounts/connections.js';
import type { UserExchanges } from '../../storage/accounts/user-exchanges.js';
import type { OpenExchanges } from '../../storage/exchanges/open-exchanges.js';
import type { HeldLease } from '../../storage/servers/lease.js';
import type { Storage } from '../../storage/index.js';
import { isMongoUnavailable } from '../../storage/servers/mongo.js';
import type { ThrottledLog } from '../../storage/process/throttled-log.js';
import type { AssetPrices } from './asset-prices.js';
import { readWallets } from './read-wallets.js';
import { syncAccount } from './sync-account.js';

export interface AccountVisitTools {
  storage: Storage;
  users: UserExchanges;
  exchanges: OpenExchanges;
  prices: AssetPrices;
  /** Time between two readings of an account whose owner is online; other accounts wait `idleFactor` times as long. */
  pollMs: number;
  log: ThrottledLog;
  signal: AbortSignal;
  /** The time by a clock that all processes share, in ms: it decides when an account is due. */
  now: () => number;
  /** Whether private streams tell of its changes, so that it is read hourly. */
  isStreamed: boolean;
  lease: Pick<HeldLease, 'confirm' | 'signal'>;
}

const idleFactor = 15;
/** After this time a visit begins no further asset: an account with a long history must not keep others waiting. */
const longestReadMs = 20_000;
/** The pause before the next visit of an account that was read in part. */
const partialPauseMs = 1_000;
const streamedPauseMs = 3_600_000;
const firstPauseMs = 30_000;
const longestPauseMs = 3_600_000;
/** The exchange may accept a refused key again after its owner changes it there, so it is tried rarely. */
const refusedPauseMs = 900_000;
/** Visits to an account without its connection before it is removed: the connection is about to be stored. */
const orphanVisits = 5;
const firstOrphanPauseMs = 1_000;

/** Reads an account if it is still due, stores it and updates the positions of its owner. Returns whether it was due. */
export async function visitAccount(
  tools: AccountVisitTools,
  userId: string,
  exchange: string,
): Promise<boolean> {
  const { storage, users, pollMs, isStreamed, signal, now, lease } = tools;
  const account = await storage.accounts.find(userId, exchange);
  // Another process may have visited the account since it was listed.
  if (!account || (!isDue(account, now()) && (isStreamed || !isOlder(account, now() - pollMs)))) return false;
  const connection = await storage.connections.find(userId, exchange);
  if (!connection) {
    await visitOrphan(tools, account);
    return true;
  }
  let next: Account;
  try {
    next = await readAccount(tools, account, connection);
  } catch (error) {
    if (signal.aborted) return false;
    lease.signal.throwIfAborted();
    next = failedAccount(account, error, tools);
  }
  await lease.confirm();
  const isReplaced = await storage.accounts.replace(next).catch((error: unknown) => {
    if (isMongoUnavailable(error)) throw error;
    // It is too large, say. What was read before stays, or the account would be due for ever and keep others waiting.
    return storage.accounts.replace(failedAccount(account, error, tools));
  });
  if (isReplaced) await users.updater.refresh([userId]);
  return true;
}

async function readAccount(
  { storage, exchanges, prices, pollMs, isStreamed, now: clock }: AccountVisitTools,
  account: Account,
  connection: Connection,
): Promise<Account> {
  const opened = await exchanges.open(connection, storage.connections);
  const lateAt = performance.now() + longestReadMs;
  const { isWhole, ...read } = await syncAccount(account, opened, {
    nowMs: Date.now(),
    isLate: () => performance.now() > lateAt,
    pricesOf: (assets) => prices.find(account.exchange, assets),
  });
  const wallets = await readWallets(account, opened, {
    storage,
    connectedAt: connection.createdAt.getTime(),
    pricesOf: (assets) => prices.find(account.exchange, assets),
  });
  const now = clock();
  const wholePauseMs = isStreamed ? streamedPauseMs : idleFactor * pollMs;
  return {
    ...account,
    ...read,
    ...(wallets && { wallets }),
    syncedAt: isWhole ? now : account.syncedAt,
    dueAt: now + (isWhole ? wholePauseMs : partialPauseMs),
    failures: 0,
    fault: null,
    ...(opened.clockLagMs === undefined ? {} : { clockLagMs: opened.clockLagMs }),
  };
}

/** The account after an error; it is due after the pause that the exchange asked for, else after one that doubles. */
function failedAccount(
  account: Account,
  error: unknown,
  { log, now }: Pick<AccountVisitTools, 'log' | 'now'>,
): Account {
  const failures = account.failures + 1;
  const known = error instanceof AppError;
  if (!known || error.kind === 'bug') log.warn('account not read', error);
  const isRefused = known && error.code === 'exchange_refused';
  const askedMs = known ? Number(error.details.retryAfterMs ?? 0) : 0;
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (failures - 1));
  return {
    ...account,
    failures,
    fault: known && error.kind !== 'bug' ? error.message : 'it could not be read',
    dueAt: now() + Math.max(askedMs, isRefused ? refusedPauseMs : pauseMs),
  };
}

/** Counts a visit to an account without a connection, and removes the account after several. */
async function visitOrphan(
  { storage, users, lease, now }: AccountVisitTools,
  account: Account,
): Promise<void> {
  const { userId, exchange, revision, failures } = account;
  await lease.confirm();
  if (failures < orphanVisits) {
    const dueAt = now() + firstOrphanPauseMs * 2 ** failures;
    await storage.accounts.replace({ ...account, failures: failures + 1, dueAt });
    return;
  }
  // The revision keeps an account that a new connection has just started anew.
  if (await storage.accounts.remove(userId, exchange, revision)) await users.updater.refresh([userId]);
}

const isDue = ({ dueAt }: Account, now: number): boolean => dueAt !== null && dueAt <= now;

const isOlder = ({ syncedAt, failures }: Account, since: number): boolean =>
  failures === 0 && syncedAt !== null && syncedAt <= since;
