import type { Storage } from '../index.js';
import type { LinkOwner } from '../mail/mails.js';

type AccountStorage = Pick<
  Storage,
  'connections' | 'executionReads' | 'grants' | 'personalTokens' | 'sessions' | 'subscriptions' | 'users'
>;

export interface TakeAccountOptions {
  /** The owner has not shown the password, which a stranger may have set: it ends, too. */
  dropsPassword?: boolean;
  /** The session of the owner, which stays open. */
  exceptSessionId?: string | undefined;
}

/**
 * Hands an account that is not confirmed to the owner of its e-mail. A stranger may have made it, so everything ends that could
 * act for them: sessions, apps, tokens, subscriptions and keys of exchanges. Returns how many sessions ended; null if the account
 * is another's by now. One that is confirmed already stays as it is. The e-mail is confirmed last: what is cut off before that is
 * done again by the next link or sign-in.
 */
export async function takeAccount(
  storage: AccountStorage,
  { userId, email }: LinkOwner,
  { dropsPassword = false, exceptSessionId }: TakeAccountOptions = {},
): Promise<number | null> {
  const user = await storage.users.byId(userId);
  if (user?.email !== email) return null;
  if (user.emailVerifiedAt) return 0;
  if (dropsPassword) await storage.users.dropPassword(userId);
  const ended = await endAccess(storage, userId, exceptSessionId);
  await storage.personalTokens.removeAll(userId);
  await storage.subscriptions.removeAll(userId);
  await storage.connections.removeAll(userId);
  await storage.executionReads.wakeOpen({ userId });
  return (await storage.users.confirmEmail(userId, email)) ? ended : null;
}

interface ReplacePasswordOptions {
  /** The stored hash that the new one replaces; absent: any. */
  was?: string | null;
  /** The confirmed e-mail of the user, to be told of the new password. */
  tell?: string | null;
  /** A session that stays open. */
  exceptSessionId?: string;
  /** Whether personal access tokens end, too: the password is set by who need not know the old one. */
  endsTokens?: boolean;
}

/**
 * Sets the password of a user, ends their sessions and links to choose a password, and disconnects their apps. Returns how
 * many sessions ended; null if there is no such user or the stored hash differs from `was`: then another request has changed
 * it at this moment, and has been told of. Sessions and tokens end before and after: before, so that none is left when this is cut off;
 * after, for those that the old password opened in between. The mail is asked for before the change, so that there is never
 * one without it.
 */
export async function replacePassword(
  storage: Pick<Storage, 'users' | 'sessions' | 'grants' | 'mails' | 'personalTokens'>,
  userId: string,
  passwordHash: string,
  { was, tell = null, exceptSessionId, endsTokens = false }: ReplacePasswordOptions = {},
): Promise<number | null> {
  const endTokens = async () => endsTokens && (await storage.personalTokens.removeAll(userId));
  await endTokens();
  const before = await endAccess(storage, userId, exceptSessionId);
  if (tell !== null) await storage.mails.ask('changed', tell);
  if (!(await storage.users.setPassword(userId, passwordHash, was))) return null;
  await storage.mails.endLinks(userId, 'reset');
  await endTokens();
  return before + (await endAccess(storage, userId, exceptSessionId));
}

/**
 * Ends all sessions of a user except one, and all connected apps; returns how many sessions there were. Call it after a
 * change that makes them invalid, such as a new password or a removed account.
 */
export async function endAccess(
  { sessions, grants }: Pick<Storage, 'sessions' | 'grants'>,
  userId: string,
  exceptSessionId?: string,
): Promise<number> {
  const ended = await sessions.endAll(userId, exceptSessionId);
  await grants.removeAll(userId);
  return ended;
}
