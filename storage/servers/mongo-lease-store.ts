import type { Collection, Db, Filter } from 'mongodb';
import type { LeaseHolder, LeaseStore } from './leases.js';
import { isDuplicate } from './mongo.js';
import { openCollection } from './open-collection.js';

interface LeaseDocument {
  _id: string;
  /** The id of the holder, after its owner and a space where it has one. */
  holder: string;
  expiresAt: Date;
}

/** Leases as documents of the collection `leases`. Expiry is judged by the clock of the process that asks. */
export class MongoLeaseStore implements LeaseStore {
  readonly #collection: Collection<LeaseDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'leases');
  }

  async take(name: string, holder: LeaseHolder, leaseMs: number): Promise<boolean> {
    const now = Date.now();
    const isFree: Filter<LeaseDocument>[] = [
      { holder: textOf(holder) },
      { expiresAt: { $lte: new Date(now) } },
    ];
    // '!' is the character after the space, so this is the range of all holders of the owner.
    const { owner } = holder;
    if (owner !== undefined) isFree.push({ holder: { $gte: `${owner} `, $lt: `${owner}!` } });
    try {
      await this.#collection.updateOne(
        { _id: name, $or: isFree },
        { $set: { holder: textOf(holder), expiresAt: new Date(now + leaseMs) } },
        { upsert: true },
      );
      return true;
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  }

  /** Without upsert: a renewal that arrives late must not bring back a lease that was released. */
  async renew(name: string, holder: LeaseHolder, leaseMs: number): Promise<boolean> {
    const { matchedCount } = await this.#collection.updateOne(
      { _id: name, holder: textOf(holder) },
      { $set: { expiresAt: new Date(Date.now() + leaseMs) } },
    );
    return matchedCount === 1;
  }

  async release(name: string, holder: LeaseHolder): Promise<void> {
    await this.#collection.deleteOne({ _id: name, holder: textOf(holder) });
  }

  async dropAbandoned(before: Date): Promise<number> {
    return (await this.#collection.deleteMany({ expiresAt: { $lt: before } })).deletedCount;
  }
}

const textOf = ({ owner, id }: LeaseHolder): string => (owner === undefined ? id : `${owner} ${id}`);
