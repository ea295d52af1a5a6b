import type { Collection, Db, Document } from 'mongodb';
import type { LeaseHolder, LeaseStore, TakenLease } from './redis-lease-store.js';
import { isDuplicate } from './mongo.js';
import { openCollection } from './open-collection.js';

interface LeaseDocument {
  _id: string;
  /** The id of the holder, after its owner and a space where it has one. Absent when the lease was released. */
  holder?: string;
  expiresAt: Date;
  /** The fencing token of the latest holder; a version of the service without tokens leaves it as it is. */
  token?: number;
  /** The holder that the latest one took the lease from before it was released; null if there was none. */
  takenFrom?: string | null;
}

/** Leases as documents of the collection `leases`. Expiry is judged by the clock of MongoDB. */
export class MongoLeaseStore implements LeaseStore {
  readonly #collection: Collection<LeaseDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'leases');
  }

  async take(name: string, holder: LeaseHolder, leaseMs: number): Promise<TakenLease | null> {
    try {
      const stored = await this.#collection.findOneAndUpdate({ _id: name }, takeUpdate(holder, leaseMs), {
        upsert: true,
        returnDocument: 'after',
      });
      if (stored?.holder !== textOf(holder)) return null;
      return { token: stored.token!, tookOver: typeof stored.takenFrom === 'string' };
    } catch (error) {
      // Two processes inserted the document at the same moment.
      if (isDuplicate(error)) return null;
      throw error;
    }
  }

  /** Without upsert: a renewal that arrives late must not bring back a lease that was released. */
  async renew(name: string, holder: LeaseHolder, leaseMs: number): Promise<boolean> {
    const { matchedCount } = await this.#collection.updateOne({ _id: name, holder: textOf(holder) }, [
      { $set: { expiresAt: { $add: ['$$NOW', leaseMs] } } },
    ]);
    return matchedCount === 1;
  }

  /** The document stays for its token. */
  async release(name: string, holder: LeaseHolder): Promise<void> {
    await this.#collection.updateOne({ _id: name, holder: textOf(holder) }, [
      { $set: { expiresAt: '$$NOW' } },
      { $unset: ['holder', 'takenFrom'] },
    ]);
  }

  async dropAbandoned(before: Date): Promise<number> {
    return (await this.#collection.deleteMany({ expiresAt: { $lt: before } })).deletedCount;
  }
}

/**
 * Writes the holder into the lease if that is free, and changes nothing otherwise. The token is the time of the server in ms,
 * or one more than the last: it grows even when the document was deleted or the clock set back. SecantusDB compares $$NOW
 * with stored times correctly only as numbers.
 */
function takeUpdate({ owner, id }: LeaseHolder, leaseMs: number): Document[] {
  const holder = textOf({ owner, id });
  const now = { $toLong: '$$NOW' };
  const known = { $ifNull: ['$holder', ''] };
  const isFree: Document[] = [
    { $in: [known, ['', { $literal: holder }]] },
    { $lte: [{ $toLong: { $ifNull: ['$expiresAt', new Date(0)] } }, now] },
  ];
  const prefix = `${owner} `;
  if (owner !== undefined)
    isFree.push({ $eq: [{ $substrCP: [known, 0, Array.from(prefix).length] }, { $literal: prefix }] });
  const ifFree = (value: unknown, field: string) => ({ $cond: ['$isFree', value, `$${field}`] });
  return [
    { $set: { isFree: { $or: isFree } } },
    {
      $set: {
        takenFrom: ifFree({ $ifNull: ['$holder', null] }, 'takenFrom'),
        token: ifFree({ $max: [{ $add: [{ $ifNull: ['$token', 0] }, 1] }, now] }, 'token'),
        holder: ifFree({ $literal: holder }, 'holder'),
        expiresAt: ifFree({ $add: ['$$NOW', leaseMs] }, 'expiresAt'),
      },
    },
    { $unset: ['isFree'] },
  ];
}

const textOf = ({ owner, id }: LeaseHolder): string => (owner === undefined ? id : `${owner} ${id}`);
