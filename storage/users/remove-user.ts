import type { Storage } from '../index.js';
import { ownedNames } from './owned-data.js';
import { endAccess } from './take-account.js';

type UserData = Pick<Storage, 'grants' | 'owned' | 'partners' | 'personalTokens' | 'sessions' | 'users'>;

/**
 * Removes a user with everything that belongs to them; false if there is no such user. The removal is noted first, which ends all
 * access, and the user is deleted last: a removal that was cut off can be repeated, and the schedule `complete-writes` repeats it.
 */
export async function removeUser(storage: UserData, userId: string): Promise<boolean> {
  const isKnown = await storage.users.beginRemoval(userId);
  await removeUserData(storage, userId);
  await storage.users.remove(userId);
  return isKnown;
}

async function removeUserData(storage: UserData, userId: string): Promise<void> {
  await endAccess(storage, userId);
  await storage.personalTokens.removeAll(userId);
  await storage.owned.removeAll(userId);
  await storage.partners.removeMember(userId);
}

/**
 * Removes data whose user does not exist, such as a key that was connected while its user was removed. Returns the number of
 * those users. A user is always stored before anything of theirs. Throws the reason of the signal once that is aborted.
 */
export async function dropOwnerless(storage: UserData, signal: AbortSignal): Promise<number> {
  let dropped = 0;
  for (const name of ownedNames)
    dropped += await storage.owned.forOwners(name, signal, async (owners) => {
      const existing = await storage.users.existing(owners);
      const missing = owners.filter((id) => !existing.has(id));
      for (const userId of missing) await removeUserData(storage, userId);
      return missing.length;
    });
  return dropped;
}
