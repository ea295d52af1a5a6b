import type { Storage } from '../../storage/index.js';
import { composeMail } from '../../storage/mail/compose-mail.js';
import { isLinkKind, mailLifetimeMs } from '../../storage/mail/mail-kinds.js';
import type { MailTransport } from '../../storage/mail/mail-message.js';
import type { WaitingMail } from '../../storage/mail/mails.js';
import type { AuditLog } from '../../storage/users/audit-log.js';
import type { User } from '../../storage/users/users.js';

export interface MailDelivery {
  storage: Pick<Storage, 'mails' | 'users'>;
  transport: MailTransport;
  /** Shows a user that their password is to be reset. */
  audit: Pick<AuditLog, 'note'>;
  /** The URL of the service, for links, without a slash at its end. */
  serviceUrl: () => Promise<string>;
}

/** Why a mail was not sent, though nothing failed. */
export type Unneeded = 'no account' | 'confirmed already' | 'obsolete';

/**
 * Sends a mail with a new link; answers null, or why the mail is not needed. Throws what the transport throws. The link is
 * made here, so that the database never holds it.
 */
export async function deliverMail(
  { storage, transport, audit, serviceUrl }: MailDelivery,
  mail: WaitingMail,
): Promise<Unneeded | null> {
  const { mails, users } = storage;
  const user = await users.byEmail(mail.email);
  const unneeded = whyUnneeded(mail, user);
  if (user === null || unneeded !== null) {
    await mails.drop(mail);
    return unneeded;
  }
  const hasLink = isLinkKind(mail.kind);
  const token = await mails.issueLink(mail, user.id);
  if (hasLink && token === null) return 'obsolete';
  const at = new Date(mail.endsAt.getTime() - mailLifetimeMs[mail.kind]);
  await transport.send(composeMail(mail.kind, { to: user.email, serviceUrl: await serviceUrl(), token, at }));
  // Once for each mail that was sent, not for each try. No address is noted: this process does not know who asked.
  if (mail.kind === 'reset') audit.note('reset_asked', user.id, null);
  await (hasLink ? mails.sent(mail) : mails.drop(mail));
  return null;
}

function whyUnneeded({ kind }: WaitingMail, user: User | null): Unneeded | null {
  if (!user) return 'no account';
  return kind === 'verify' && user.emailVerifiedAt ? 'confirmed already' : null;
}
