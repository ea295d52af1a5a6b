import { endAccess } from './end-access.js';
import type { Storage } from './index.js';

/**
 * Removes a user with all that signs them in. The user goes first: whatever is cut off after that is of nobody, and opens
 * nothing. False if there is no such user.
 */
export async function removeUser(
  storage: Pick<Storage, 'users' | 'sessions' | 'identities'>,
  userId: string,
): Promise<boolean> {
  const removed = await storage.users.remove(userId);
  await endAccess(storage, userId);
  await storage.identities.unlinkAll(userId);
  return removed;
}
