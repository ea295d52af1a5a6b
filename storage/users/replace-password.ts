import type { Storage } from '../index.js';
import { endAccess } from './end-access.js';

export interface ReplacePasswordOptions {
  /** The stored hash that the new one replaces; absent: any. */
  was?: string | null;
  /** The confirmed e-mail of the user, to be told of the new password. */
  tell?: string | null;
  /** A session that stays open. */
  exceptSessionId?: string;
}

/**
 * Sets the password of a user, ends their sessions and links to choose a password, and disconnects their apps. Returns how
 * many sessions ended; null if there is no such user or the stored hash differs from `was`: then another request has changed
 * it at this moment, and has been told of. Sessions end before and after: before, so that none is left when this is cut off;
 * after, for those that the old password opened in between. The mail is asked for before the change, so that there is never
 * one without it.
 */
export async function replacePassword(
  storage: Pick<Storage, 'users' | 'sessions' | 'grants' | 'mails'>,
  userId: string,
  passwordHash: string,
  { was, tell = null, exceptSessionId }: ReplacePasswordOptions = {},
): Promise<number | null> {
  const before = await endAccess(storage, userId, exceptSessionId);
  if (tell !== null) await storage.mails.ask('changed', tell);
  if (!(await storage.users.setPassword(userId, passwordHash, was))) return null;
  await storage.mails.endLinks(userId, 'reset');
  return before + (await endAccess(storage, userId, exceptSessionId));
}
