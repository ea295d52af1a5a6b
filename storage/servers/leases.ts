import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Collection, Db } from 'mongodb';
import { AppError } from '../../compute/model/errors.js';
import { isDuplicate } from './mongo.js';

interface LeaseDocument {
  _id: string;
  holder: string;
  expiresAt: Date;
}

const leaseMs = 15_000;
const renewMs = 5_000;
const askAgainMs = 100;
const longestWaitMs = 120_000;

/** Work that only one process at a time may do, over every process that shares the database. */
export class Leases {
  readonly #collection: Collection<LeaseDocument>;

  constructor(db: Db) {
    this.#collection = db.collection('leases');
  }

  /**
   * Runs `work` while no other holder of the same name does. A holder that died is passed over after 15 s.
   * Throws `unexpected` when the lease is not to be had within two minutes.
   */
  async hold<T>(name: string, work: () => Promise<T>): Promise<T> {
    const holder = randomUUID();
    const giveUpAt = Date.now() + longestWaitMs;
    while (!(await this.#take(name, holder))) {
      if (Date.now() > giveUpAt) throw new AppError('unexpected', `"${name}" is held by another process`);
      await pause(askAgainMs);
    }
    return this.#while(name, holder, work);
  }

  /** Runs `work` if no other holder of the name does just now; else returns null at once. */
  async attempt<T>(name: string, work: () => Promise<T>): Promise<{ result: T } | null> {
    const holder = randomUUID();
    if (!(await this.#take(name, holder))) return null;
    return { result: await this.#while(name, holder, work) };
  }

  /** Throws away the leases of holders that died `longAgo`, and tells how many: nobody may ever ask for their names again. */
  async dropAbandoned(longAgo: Date): Promise<number> {
    return (await this.#collection.deleteMany({ expiresAt: { $lt: longAgo } })).deletedCount;
  }

  async #while<T>(name: string, holder: string, work: () => Promise<T>): Promise<T> {
    const renewal = setInterval(() => void this.#renew(name, holder).catch(() => undefined), renewMs);
    try {
      return await work();
    } finally {
      clearInterval(renewal);
      await this.#collection.deleteOne({ _id: name, holder });
    }
  }

  /** Without upsert: a renewal that is late must not bring back a lease that was given up. */
  async #renew(name: string, holder: string): Promise<void> {
    await this.#collection.updateOne(
      { _id: name, holder },
      { $set: { expiresAt: new Date(Date.now() + leaseMs) } },
    );
  }

  async #take(name: string, holder: string): Promise<boolean> {
    const now = Date.now();
    try {
      await this.#collection.updateOne(
        { _id: name, $or: [{ holder }, { expiresAt: { $lte: new Date(now) } }] },
        { $set: { holder, expiresAt: new Date(now + leaseMs) } },
        { upsert: true },
      );
      return true;
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  }
}
