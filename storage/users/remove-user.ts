import type { Storage } from '../index.js';
import { endAccess } from './take-account.js';

/** The repositories that hold data of users. */
export type UserData = Pick<
  Storage,
  | 'sessions'
  | 'personalTokens'
  | 'mails'
  | 'partners'
  | 'preferences'
  | 'grants'
  | 'identities'
  | 'auditEvents'
  | 'backtests'
  | 'savedStrategies'
  | 'subscriptions'
  | 'executionReads'
  | 'foreignOrders'
  | 'connections'
  | 'conversations'
  | 'tokenUse'
  | 'paperMargin'
  | 'paperOrders'
  | 'accounts'
  | 'positions'
  | 'trades'
  | 'ledgerEntries'
  | 'equity'
>;

/**
 * Removes a user with their sessions, tokens, connected apps, mails, identities, audit events, backtests, strategies, subscriptions, executions, trades,
 * conversations, connections, paper orders, paper margin accounts, accounts, positions, lines of ledgers and equity; false if there is no such user. The removal is noted first, which ends all access, and the user is deleted
 * last: a removal that was cut off can be repeated, and the schedule `complete-writes` repeats it.
 */
export async function removeUser(
  storage: UserData & Pick<Storage, 'users'>,
  userId: string,
): Promise<boolean> {
  const isKnown = await storage.users.beginRemoval(userId);
  await removeUserData(storage, userId);
  await storage.users.remove(userId);
  return isKnown;
}

/** Removes what belongs to a user. The keys of exchanges go before what was read with them. */
export async function removeUserData(storage: UserData, userId: string): Promise<void> {
  await endAccess(storage, userId);
  // First what orders could still be placed by; subscriptions also before executions, so that none is delivered anew.
  await storage.subscriptions.removeAll(userId);
  await storage.connections.removeAll(userId);
  await storage.personalTokens.removeAll(userId);
  await storage.mails.removeAll(userId);
  await storage.partners.removeMember(userId);
  await storage.preferences.remove(userId);
  await storage.identities.unlinkAll(userId);
  await storage.auditEvents.removeAll(userId);
  await storage.backtests.removeAll(userId);
  await storage.savedStrategies.removeAll(userId);
  await storage.conversations.removeAll(userId);
  await storage.tokenUse.removeAll(userId);
  await storage.executionReads.removeAll(userId);
  await storage.foreignOrders.removeAll(userId);
  await storage.trades.removeAll(userId);
  await storage.ledgerEntries.removeAll(userId);
  await storage.paperMargin.removeAll(userId);
  await storage.paperOrders.removeAll(userId);
  await storage.accounts.removeAll(userId);
  await storage.positions.remove(userId);
  await storage.equity.removeAll(userId);
}
