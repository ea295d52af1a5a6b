import { endAccess } from './end-access.js';
import type { Storage } from '../index.js';

/**
 * Removes a user with all that signs them in and all they have connected. The user goes first: whatever is cut off after
 * that is of nobody, and opens nothing. False if there is no such user.
 */
export async function removeUser(
  storage: Pick<Storage, 'users' | 'sessions' | 'identities' | 'connections' | 'accounts' | 'positions'>,
  userId: string,
): Promise<boolean> {
  const removed = await storage.users.remove(userId);
  await endAccess(storage, userId);
  await storage.identities.unlinkAll(userId);
  await storage.connections.removeAll(userId);
  await storage.accounts.removeAll(userId);
  await storage.positions.remove(userId);
  return removed;
}
