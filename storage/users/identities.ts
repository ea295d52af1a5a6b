import { createHash } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { openCollection } from '../servers/open-collection.js';

/** A person as an identity provider knows them. `subject` stays the same when their e-mail changes. */
export interface Identity {
  issuer: string;
  subject: string;
}

interface IdentityDocument extends Identity {
  /** The SHA-256 of issuer and subject, because they may be longer than an index key can be. */
  _id: string;
  userId: string;
  createdAt: Date;
}

/** Identities that a user may have. Another one replaces the oldest: an issuer could give a new subject at each sign-in. */
const mostIdentities = 20;

const idOf = ({ issuer, subject }: Identity) =>
  createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('base64url');

/** Which user each identity signs in. */
export class IdentityRepository {
  readonly #collection: Collection<IdentityDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'identities');
  }

  /** The id of the identity's user; null if it has none. That user may have been removed since. */
  async userIdOf(identity: Identity): Promise<string | null> {
    const found = await this.#collection.findOne({ _id: idOf(identity) });
    return found?.userId ?? null;
  }

  /** Links the identity to the user, in place of the user it was linked to before. The user keeps the newest 20 links. */
  async link(identity: Identity, userId: string): Promise<void> {
    const { issuer, subject } = identity;
    const change = { $set: { issuer, subject, userId, createdAt: new Date() } };
    const _id = idOf(identity);
    await this.#collection.updateOne({ _id }, change, { upsert: true });
    const others = this.#collection.find({ userId, _id: { $ne: _id } }).sort({ createdAt: -1, _id: -1 });
    const oldest = await others
      .skip(mostIdentities - 1)
      .project<{ _id: string }>({ _id: 1 })
      .toArray();
    if (oldest.length > 0)
      await this.#collection.deleteMany({ userId, _id: { $in: oldest.map((each) => each._id) } });
  }
}
