import type { Storage } from '../index.js';
import { forOwners } from './for-owners.js';
import { removeUserData, type UserData } from './remove-user.js';

/**
 * Removes data whose user does not exist, such as a key that was connected while its user was removed. Returns the number of
 * those users. A user is always stored before anything of theirs. Throws the reason of the signal once that is aborted.
 */
export async function dropOwnerless(
  storage: UserData & Pick<Storage, 'users'>,
  signal: AbortSignal,
): Promise<number> {
  let dropped = 0;
  const { sessions, personalTokens, grants, mails, identities, auditEvents } = storage;
  const { backtests, savedStrategies, subscriptions, executionReads } = storage;
  const { conversations, connections, paperMargin, paperOrders, accounts, positions } = storage;
  const { trades, ledgerEntries, equity } = storage;
  const ofAccounts = [
    sessions,
    personalTokens,
    grants,
    mails,
    identities,
    auditEvents,
    backtests,
    savedStrategies,
    subscriptions,
    executionReads,
  ];
  for (const repository of [
    ...ofAccounts,
    trades,
    ledgerEntries,
    conversations,
    connections,
    paperMargin,
    paperOrders,
    accounts,
    positions,
    equity,
  ])
    dropped += await forOwners(repository, signal, async (owners) => {
      const existing = await storage.users.existing(owners);
      const missing = owners.filter((id) => !existing.has(id));
      for (const userId of missing) await removeUserData(storage, userId);
      return missing.length;
    });
  return dropped;
}
