import type { Redis } from 'ioredis';
import { AppError } from '../../compute/model/errors.js';
import type { MailKind } from '../../storage/mail/mail-kinds.js';
import type { MailRepository } from '../../storage/mail/mails.js';
import type { AttemptRules } from '../../storage/users/attempt-counter.js';
import { mailLimitKeys } from '../../storage/users/login-keys.js';
import { AttemptLimit, twentyAnHour } from './attempt-limit.js';

const hourMs = 3_600_000;

/** Five mails to one recipient that a network asks for, then one after an hour, after two, after four, and from then on one a day. */
const byRecipient: AttemptRules = {
  limit: 5,
  windowMs: 24 * hourMs,
  firstDelayMs: hourMs,
  longestDelayMs: 24 * hourMs,
};

export interface MailRequest {
  email: string;
  /** The address of the client that asks for the mail. */
  address: string;
}

/**
 * Asks for mails. Limits of a network, for one recipient and for all, slow down the flooding of a mailbox, and leave other
 * networks free to ask. They count every request, whether or not the e-mail has an account, so that a refusal reveals nothing.
 */
export class MailRequests {
  readonly #mails: Pick<MailRepository, 'ask'>;
  readonly #recipient: AttemptLimit;
  readonly #told: AttemptLimit;
  readonly #address: AttemptLimit;

  /** `redis` is a connection with a short time limit. */
  constructor(redis: Redis, mails: Pick<MailRepository, 'ask'>) {
    this.#mails = mails;
    this.#recipient = new AttemptLimit(redis, byRecipient, 'too many mails to this address');
    this.#told = new AttemptLimit(redis, byRecipient, 'too many mails about changes');
    // As for sign-ups, because each sign-up asks for one mail.
    this.#address = new AttemptLimit(redis, twentyAnHour, 'too many mails asked for from your network');
  }

  /** Stores that a mail is to be sent; a market worker sends it. Throws `rate_limited`. */
  async ask(kind: MailKind, { email, address }: MailRequest): Promise<void> {
    await this.#address.count(mailLimitKeys.address(address));
    await this.#recipient.count(mailLimitKeys.recipient(email, address));
    await this.#mails.ask(kind, email);
  }

  /**
   * Whether the user may get another mail about a change of the account; it is counted. Such mails have a limit of their own: mails
   * that anyone can ask for do not keep a user from learning of a change, and changes do not keep a user from asking for a link.
   */
  async mayTell(email: string): Promise<boolean> {
    try {
      await this.#told.count(mailLimitKeys.told(email));
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'rate_limited') return false;
      throw error;
    }
  }
}
