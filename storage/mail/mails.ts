import { hash, randomBytes, randomUUID } from 'node:crypto';
import type { Collection, Db, Filter } from 'mongodb';
import { isDuplicate } from '../servers/mongo.js';
import { openCollection } from '../servers/open-collection.js';
import { normaliseEmail } from '../users/email.js';
import { isLinkKind, linkLifetimeMs, mailLifetimeMs, type LinkKind, type MailKind } from './mail-kinds.js';

/** 256 random bits in base64url. */
const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

/** A new token for the link in a mail. Only the mail holds it. */
export const newLinkToken = (): string => randomBytes(32).toString('base64url');

/** The SHA-256 under which the token of a link is stored; null for a text that is no token. */
export const linkHashOf = (token: string): string | null =>
  tokenPattern.test(token) ? hash('sha256', token, 'base64url') : null;

export interface WaitingMail {
  kind: MailKind;
  email: string;
  /** A later request for the same mail has another id, and makes this one obsolete. */
  requestId: string;
  /** How often it was tried, this time included. */
  attempts: number;
  /** When it is given up. */
  endsAt: Date;
}

/** The user whom a link was sent to, and the e-mail it was sent to. */
export interface LinkOwner {
  userId: string;
  email: string;
}

/**
 * One document for each kind and e-mail: the request for a mail, and the link in the mail that was sent last. The request
 * is there whether or not the e-mail has an account; the user is looked up when the mail is sent.
 */
interface MailDocument extends WaitingMail {
  /** Kind and e-mail. */
  _id: string;
  /** When it is to be sent; absent once it is sent. */
  dueAt?: Date;
  /** This field and the next two are absent before the first mail is sent. */
  userId?: string;
  linkHash?: string;
  linkExpiresAt?: Date;
  /** When nothing of this is needed any more. */
  expiresAt: Date;
}

const idOf = (kind: MailKind, email: string) => `${kind}:${email}`;

const sameRequest = ({ kind, email, requestId }: WaitingMail): Filter<MailDocument> => ({
  _id: idOf(kind, email),
  requestId,
});

/** Due before every clock: a request needs no clock that agrees with that of the sender. */
const atOnce = new Date(0);

/** Mails to send, and the one-use links in those that were sent. Links are stored as SHA-256. */
export class MailRepository {
  readonly #collection: Collection<MailDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'mails');
  }

  /**
   * Asks for a mail. It replaces an earlier request that is not sent yet. The link of the last mail works until
   * that of the new one is made, just before it is sent.
   */
  async ask(kind: MailKind, givenEmail: string, now = Date.now()): Promise<void> {
    const email = normaliseEmail(givenEmail);
    const endsAt = new Date(now + mailLifetimeMs[kind]);
    const asked = { kind, email, requestId: randomUUID(), attempts: 0, endsAt, dueAt: atOnce };
    try {
      await this.#collection.updateOne(
        { _id: idOf(kind, email) },
        { $set: asked, $max: { expiresAt: endsAt } },
        { upsert: true },
      );
    } catch (error) {
      // The same mail was asked for at the same time.
      if (!isDuplicate(error)) throw error;
    }
  }

  /**
   * Takes the mail that has been due for longest; null if none is due. No other process takes it within `leaseMs`, after
   * which it is due again, unless it is sent or postponed.
   */
  async takeDue(now: number, leaseMs: number): Promise<WaitingMail | null> {
    const taken = await this.#collection.findOneAndUpdate(
      { dueAt: { $lte: new Date(now) } },
      { $set: { dueAt: new Date(now + leaseMs) }, $inc: { attempts: 1 } },
      { sort: { dueAt: 1 }, returnDocument: 'after' },
    );
    if (!taken) return null;
    const { kind, email, requestId, attempts, endsAt } = taken;
    return { kind, email, requestId, attempts, endsAt };
  }

  /** Makes the link of a mail, in place of an earlier one, and returns its token; null if the mail is obsolete or of a kind without one. */
  async issueLink(mail: WaitingMail, userId: string, now = Date.now()): Promise<string | null> {
    if (!isLinkKind(mail.kind)) return null;
    const token = newLinkToken();
    const linkExpiresAt = new Date(now + linkLifetimeMs[mail.kind]);
    const { matchedCount } = await this.#collection.updateOne(sameRequest(mail), {
      $set: { userId, linkHash: linkHashOf(token)!, linkExpiresAt },
      $max: { expiresAt: linkExpiresAt },
    });
    return matchedCount === 1 ? token : null;
  }

  async sent(mail: WaitingMail): Promise<void> {
    await this.#collection.updateOne(sameRequest(mail), { $unset: { dueAt: '' } });
  }

  /** How many mails are not sent yet. */
  countWaiting(): Promise<number> {
    return this.#collection.countDocuments({ dueAt: { $exists: true } });
  }

  /** Lets a mail be tried again at that time. */
  async postpone(mail: WaitingMail, dueAt: Date): Promise<void> {
    await this.#collection.updateOne(sameRequest(mail), { $set: { dueAt } });
  }

  /** Drops a mail that is not to be sent, or of which nothing is needed any more, with its link. */
  async drop(mail: WaitingMail): Promise<void> {
    await this.#collection.deleteOne(sameRequest(mail));
  }

  /** Whom the link with the token was sent to; null if it is unknown, used or expired, or a newer one has replaced it. */
  async ownerOf(kind: LinkKind, token: string, now = Date.now()): Promise<LinkOwner | null> {
    const filter = validLink(kind, token, now);
    return toOwner(filter && (await this.#collection.findOne(filter)));
  }

  /** As `ownerOf`, and ends the link: of calls at the same time one alone gets the owner. */
  async claim(kind: LinkKind, token: string, now = Date.now()): Promise<LinkOwner | null> {
    const filter = validLink(kind, token, now);
    return toOwner(filter && (await this.#collection.findOneAndDelete(filter)));
  }

  /** Ends the links of a kind that were sent to a user, and mails that are being sent to them. */
  async endLinks(userId: string, kind: LinkKind): Promise<void> {
    await this.#collection.deleteMany({ userId, kind });
  }
}

function validLink(kind: LinkKind, token: string, now: number): Filter<MailDocument> | null {
  const linkHash = linkHashOf(token);
  return linkHash === null ? null : { linkHash, kind, linkExpiresAt: { $gt: new Date(now) } };
}

const toOwner = (found: MailDocument | null): LinkOwner | null =>
  found && { userId: found.userId!, email: found.email };
