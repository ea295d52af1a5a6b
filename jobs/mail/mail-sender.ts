import type { Storage } from '../../storage/index.js';
import type { Log } from '../../storage/process/log.js';
import { RepeatedWork } from '../../storage/process/repeated-work.js';
import { AuditLog } from '../../storage/users/audit-log.js';
import type { WaitingMail } from '../../storage/mail/mails.js';
import { composeMail, type MailTransport } from '../../storage/mail/compose-mail.js';
import { isLinkKind, mailLifetimeMs } from '../../storage/mail/mail-kinds.js';
import type { User } from '../../storage/users/users.js';

export interface MailSenderOptions extends Omit<MailDelivery, 'audit' | 'storage'> {
  storage: MailDelivery['storage'] & Pick<Storage, 'auditEvents'>;
  /** The time that all senders share, in ms since the epoch. */
  now: () => number;
  log: Pick<Log, 'info' | 'warn' | 'error'>;
  /** How often it looks for mails. Default: 2 s. */
  everyMs?: number;
}

const defaultMs = 2_000;
/** Longer than the time limits of a transport together. */
const leaseMs = 120_000;
/** How many mails are sent at the same time. A server that hangs delays only one of them. */
const lanes = 4;
const firstRetryMs = 10_000;
const longestRetryMs = 3_600_000;

/**
 * Sends the mails that are asked for. Any number of senders may run: one at a time takes a mail. A mail that can't be sent is
 * tried again after 10 s, and then after twice as long each time, up to an hour, until it expires.
 */
export class MailSender {
  readonly #options: MailSenderOptions;
  readonly #sending: RepeatedWork;
  readonly #audit: AuditLog;

  constructor(options: MailSenderOptions) {
    this.#options = options;
    const { everyMs = defaultMs, log, storage } = options;
    this.#audit = new AuditLog({ auditEvents: storage.auditEvents, log });
    const onError = (err: unknown) => log.warn({ err }, 'due mails not read; they are read again');
    this.#sending = new RepeatedWork((signal) => this.#sendAll(signal), everyMs, onError);
  }

  /** Resolves when the mails that are being sent are sent. */
  async close(): Promise<void> {
    await this.#sending.close();
    await this.#audit.close();
  }

  async #sendAll(signal: AbortSignal): Promise<void> {
    // One looks; the others begin once it has found a mail.
    const first = await this.#take(signal);
    if (!first) return;
    const rest = Array.from({ length: lanes - 1 }, () => this.#sendSome(signal));
    const ended = await Promise.allSettled([this.#sendSome(signal, first), ...rest]);
    const failed = ended.find((each) => each.status === 'rejected');
    if (failed) throw failed.reason;
  }

  async #sendSome(signal: AbortSignal, first?: WaitingMail): Promise<void> {
    for (let mail = first ?? (await this.#take(signal)); mail; mail = await this.#take(signal))
      await this.#send(mail);
  }

  async #take(signal: AbortSignal): Promise<WaitingMail | null> {
    const { storage, now } = this.#options;
    return signal.aborted ? null : storage.mails.takeDue(now(), leaseMs);
  }

  async #send(mail: WaitingMail): Promise<void> {
    const { log, now } = this.#options;
    const { kind, attempts } = mail;
    try {
      // Earlier senders may have died before they could give it up.
      if (mail.endsAt.getTime() < now()) throw new Error('the mail has expired');
      const unneeded = await deliverMail({ ...this.#options, audit: this.#audit }, mail);
      if (unneeded === null) log.info({ kind, attempts }, 'mail sent');
    } catch (error) {
      await this.#tryLater(mail, error);
    }
  }

  async #tryLater(mail: WaitingMail, err: unknown): Promise<void> {
    const { storage, log, now } = this.#options;
    const { kind, attempts, endsAt } = mail;
    const retryMs = Math.min(longestRetryMs, firstRetryMs * 2 ** (attempts - 1));
    const dueAt = new Date(now() + retryMs);
    const fields = { kind, attempts, err: withoutRecipient(err, mail.email) };
    if (isRefused(err) || dueAt >= endsAt) {
      await storage.mails.drop(mail);
      log.error(fields, 'mail given up');
      return;
    }
    await storage.mails.postpone(mail, dueAt);
    log.warn(fields, `mail not sent; tried again in ${retryMs / 1_000} s`);
  }
}

/** Whether the server will never accept this recipient. A refused sign-in comes from wrong settings, which an operator can correct. */
const isRefused = (error: unknown): boolean => {
  const { code, responseCode = 0 } = error as { code?: unknown; responseCode?: number };
  return code === 'EENVELOPE' && responseCode >= 500;
};

/** Servers repeat the address in their answers, and logs must not contain addresses. */
function withoutRecipient(error: unknown, email: string): { message: string; code: unknown } {
  const { message, code } = error as { message?: unknown; code?: unknown };
  return { message: String(message ?? error).replaceAll(email, '[recipient]'), code };
}

interface MailDelivery {
  storage: Pick<Storage, 'mails' | 'users'>;
  transport: MailTransport;
  /** Shows a user that their password is to be reset. */
  audit: Pick<AuditLog, 'note'>;
  /** The URL of the service, for links, without a slash at its end. */
  serviceUrl: () => Promise<string>;
}

/** Why a mail was not sent, though nothing failed. */
type Unneeded = 'no account' | 'confirmed already' | 'obsolete';

/**
 * Sends a mail with a new link; answers null, or why the mail is not needed. Throws what the transport throws. The link is
 * made here, so that the database never holds it.
 */
async function deliverMail(
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
