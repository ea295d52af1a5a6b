import type { Collection, Db, Document, Filter } from 'mongodb';
import { openCollection } from '../servers/open-collection.js';

/**
 * The collections whose documents belong to users, and the field with the id of the user. A removal goes in this order: first
 * what orders could still be placed by, subscriptions before executions, so that none is delivered anew, and keys of exchanges
 * before what was read with them.
 */
const ownedCollections = {
  subscriptions: 'userId',
  connections: 'userId',
  sessions: 'userId',
  oauth_grants: 'userId',
  personal_tokens: 'userId',
  mails: 'userId',
  preferences: '_id',
  identities: 'userId',
  audit_events: 'userId',
  audit_counts: 'userId',
  backtests: 'userId',
  strategies: 'userId',
  conversations: 'userId',
  token_use: 'userId',
  executions: 'userId',
  foreign_orders: 'userId',
  trades: 'userId',
  ledger_entries: 'userId',
  paper_margin: 'userId',
  paper_margin_orders: 'userId',
  paper_margin_levels: 'userId',
  paper_orders: 'userId',
  accounts: 'userId',
  positions: '_id',
  equity: 'userId',
} as const;

export type OwnedCollection = keyof typeof ownedCollections;

export const ownedNames = Object.keys(ownedCollections) as OwnedCollection[];

/** Their repositories remove them, and tell other processes. */
const announced = new Set<OwnedCollection>(['sessions', 'oauth_grants', 'personal_tokens']);

const usersAtATime = 500;

/** What belongs to users, in all collections. */
export class OwnedData {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Removes everything of a user but what gives access, in the order of the collections. */
  async removeAll(userId: string): Promise<void> {
    for (const name of ownedNames.filter((each) => !announced.has(each)))
      await openCollection(this.#db, name).deleteMany({ [ownedCollections[name]]: userId });
  }

  /** `forOwners` of a collection. */
  forOwners(name: OwnedCollection, signal: AbortSignal, work: OwnersWork): Promise<number> {
    return forOwners(openCollection(this.#db, name), signal, work, ownedCollections[name]);
  }
}

/** Answers a number, which is summed up. */
type OwnersWork = (userIds: readonly string[]) => Promise<number>;

/**
 * Calls `work` with the ids of all users who own documents of a collection, in order, up to 500 at a time, and returns the sum of
 * its results. Reads by the index on the user. Throws the reason of the signal once that is aborted.
 */
export async function forOwners<T extends Document>(
  collection: Collection<T>,
  signal: AbortSignal,
  work: OwnersWork,
  key: '_id' | 'userId' = 'userId',
): Promise<number> {
  let sum = 0;
  let last: string | undefined = '';
  while (last !== undefined) {
    signal.throwIfAborted();
    const rows: Record<string, string>[] = await collection
      .find({ [key]: { $gt: last } } as Filter<T>)
      .project<Record<string, string>>({ _id: 0, [key]: 1 })
      .sort({ [key]: 1 })
      .limit(usersAtATime)
      .toArray();
    const userIds = [...new Set(rows.map((row) => row[key]))];
    if (userIds.length > 0) sum += await work(userIds);
    last = userIds.at(-1);
  }
  return sum;
}
