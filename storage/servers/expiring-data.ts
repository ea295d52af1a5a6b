import type { Db, Document, Filter } from 'mongodb';
import { openCollection } from './open-collection.js';

/** The collections whose documents expire, and the field that says when: their end, or when they were computed. */
const expiringCollections = {
  backtests: 'expiresAt',
  conversations: 'expiresAt',
  leaderboards: 'computedAt',
  mails: 'expiresAt',
  oauth_transactions: 'expiresAt',
  personal_tokens: 'expiresAt',
  risk_calibrations: 'computedAt',
  sessions: 'expiresAt',
  token_use: 'expiresAt',
} as const;

export type ExpiringCollection = keyof typeof expiringCollections;

/** What expires: the database deletes some of it by itself, but late or never. */
export class ExpiringData {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Deletes the documents of a collection whose time is `until` or before, and returns how many. */
  async drop(name: ExpiringCollection, until: Date): Promise<number> {
    const filter = { [expiringCollections[name]]: { $lte: until } } as Filter<Document>;
    return (await openCollection(this.#db, name).deleteMany(filter)).deletedCount;
  }
}
