import type { Storage } from '../index.js';
import type { LinkOwner } from '../mail/mails.js';
import { endAccess } from './end-access.js';

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
