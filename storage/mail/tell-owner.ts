import type { Storage } from '../index.js';
import type { MailKind } from './mail-kinds.js';

/** Asks for a mail to a user, unless the user is gone. */
export async function tellOwner(
  { mails, users }: Pick<Storage, 'mails' | 'users'>,
  userId: string,
  kind: MailKind,
): Promise<void> {
  const user = await users.byId(userId);
  if (user) await mails.ask(kind, user.email);
}
