import { createHash } from 'node:crypto';
import type { Collection, Db } from 'mongodb';

/** Somebody as an identity provider knows them: the name lasts, whatever becomes of their e-mail. */
export interface Identity {
  issuer: string;
  subject: string;
}

interface IdentityDocument extends Identity {
  /** The SHA-256 of issuer and subject, which may be longer than an index takes. */
  _id: string;
  userId: string;
  createdAt: Date;
}

const idOf = ({ issuer, subject }: Identity) =>
  createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('base64url');

/** Which user an identity signs in. */
export class IdentityRepository {
  readonly #collection: Collection<IdentityDocument>;

  constructor(db: Db) {
    this.#collection = db.collection('identities');
  }

  /** The id of the identity's user; null if it has none. The user may have been removed since. */
  async userIdOf(identity: Identity): Promise<string | null> {
    const found = await this.#collection.findOne({ _id: idOf(identity) });
    return found?.userId ?? null;
  }

  /** Lets the identity sign in the user, in the place of whom it signed in before. */
  async link(identity: Identity, userId: string): Promise<void> {
    const { issuer, subject } = identity;
    const change = { $set: { issuer, subject, userId, createdAt: new Date() } };
    await this.#collection.updateOne({ _id: idOf(identity) }, change, { upsert: true });
  }

  /** Lets no identity sign in the user any more. */
  async unlinkAll(userId: string): Promise<void> {
    await this.#collection.deleteMany({ userId });
  }
}
