import { endAccess } from './end-access.js';
import type { Storage } from '../index.js';

/**
 * Removes a user with their sessions, identities, backtests, connections, accounts and positions; false if there is no such user. The
 * user is removed first: if the process dies after that, the rest belongs to no user and gives no access.
 */
export async function removeUser(
  storage: Pick<
    Storage,
    'users' | 'sessions' | 'identities' | 'backtests' | 'connections' | 'accounts' | 'positions'
  >,
  userId: string,
): Promise<boolean> {
  const removed = await storage.users.remove(userId);
  await endAccess(storage, userId);
  await storage.identities.unlinkAll(userId);
  await storage.backtests.removeAll(userId);
  await storage.connections.removeAll(userId);
  await storage.accounts.removeAll(userId);
  await storage.positions.remove(userId);
  return removed;
}
