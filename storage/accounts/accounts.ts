import type { Collection, Db, Filter } from 'mongodb';
import { isDuplicate } from '../servers/mongo.js';

/** Since when the cost of a holding is known: from its fills, or from the moment it was first seen here. */
export type CostBasis = 'average' | 'since_connection';

/** What an account holds of one asset. Quantity and cost are exact decimals. */
export interface StoredHolding {
  asset: string;
  quantity: string;
  /** In the quote currency; null until a price is known to begin with. */
  cost: string | null;
  basis: CostBasis;
  /** Where to go on reading its fills; null if none were read. */
  cursor: string | null;
  /** When its fills were last read, in ms; 0: never. */
  checkedAt: number;
}

/** What is known of a user's account on one exchange. */
export interface Account {
  userId: string;
  exchange: string;
  holdings: StoredHolding[];
  /** What there is of currencies that are no positions: as they were last seen. */
  cash: { asset: string; quantity: string }[];
  /** When it was last read whole, in ms; null: never, or it is kept here. */
  syncedAt: number | null;
  /** When to read it again, in ms; null where nothing is to be read. */
  dueAt: number | null;
  /** Readings that failed in a row, and why the last one did. */
  failures: number;
  fault: string | null;
  /** Raised by one with each change: of two changes at once one is made anew. */
  revision: number;
}

type AccountDocument = Account & { _id: string };

const idOf = (userId: string, exchange: string) => `${userId}:${exchange}`;

/** The accounts of users, the paper account among them. */
export class AccountRepository {
  readonly #collection: Collection<AccountDocument>;

  constructor(db: Db) {
    this.#collection = db.collection('accounts');
  }

  /** The account, which is made as given if there is none yet. */
  async findOrAdd(account: Account): Promise<Account> {
    const { userId, exchange } = account;
    const found = await this.find(userId, exchange);
    if (found) return found;
    try {
      await this.#collection.insertOne({ ...account, _id: idOf(userId, exchange) });
      return account;
    } catch (error) {
      // Somebody else was first, and may have changed it since.
      if (!isDuplicate(error)) throw error;
      return (await this.find(userId, exchange)) ?? account;
    }
  }

  async find(userId: string, exchange: string): Promise<Account | null> {
    return this.#collection.findOne({ _id: idOf(userId, exchange) }, { projection: { _id: 0 } });
  }

  /** The accounts of several users, in the order of users and exchanges. */
  async ofUsers(userIds: readonly string[]): Promise<Account[]> {
    return this.#collection
      .find({ userId: { $in: [...userIds] } }, { projection: { _id: 0 } })
      .sort({ _id: 1 })
      .toArray();
  }

  /** Puts an account in the place of the one it was made from; false if that has changed or gone meanwhile. */
  async replace(account: Account): Promise<boolean> {
    const { userId, exchange, revision } = account;
    const { matchedCount } = await this.#collection.replaceOne(
      { _id: idOf(userId, exchange), revision },
      { ...account, revision: revision + 1 },
    );
    return matchedCount === 1;
  }

  async remove(userId: string, exchange: string): Promise<void> {
    await this.#collection.deleteOne({ _id: idOf(userId, exchange) });
  }

  async removeAll(userId: string): Promise<void> {
    await this.#collection.deleteMany({ userId });
  }

  /**
   * The accounts that are to be read at `nowMs`, the longest due first; those of `watched` users also when they were last
   * read before `sinceMs` and did not fail.
   */
  async due(
    nowMs: number,
    watched: readonly string[],
    sinceMs: number,
    limit: number,
  ): Promise<Pick<Account, 'userId' | 'exchange'>[]> {
    const isDue: Filter<AccountDocument>[] = [{ dueAt: { $lte: nowMs } }];
    if (watched.length > 0)
      isDue.push({
        userId: { $in: [...watched] },
        dueAt: { $ne: null },
        syncedAt: { $lte: sinceMs },
        failures: 0,
      });
    return this.#collection
      .find({ $or: isDue }, { projection: { _id: 0, userId: 1, exchange: 1 } })
      .sort({ dueAt: 1 })
      .limit(limit)
      .toArray();
  }

  /** What is held on each of these exchanges, by anybody. */
  async heldAssets(exchanges: readonly string[]): Promise<{ exchange: string; assets: string[] }[]> {
    const rows = await this.#collection
      .aggregate<{ _id: string; assets: string[] }>([
        { $match: { exchange: { $in: [...exchanges] } } },
        { $unwind: '$holdings' },
        { $group: { _id: '$exchange', assets: { $addToSet: '$holdings.asset' } } },
        { $sort: { _id: 1 } },
      ])
      .toArray();
    return rows.map(({ _id, assets }) => ({ exchange: _id, assets: assets.sort() }));
  }

  /** Users who hold anything, in the order of their ids, from the one after `afterId` on. */
  async holders(afterId: string, limit: number): Promise<string[]> {
    const rows = await this.#collection
      .aggregate<{ _id: string }>([
        { $match: { userId: { $gt: afterId }, 'holdings.0': { $exists: true } } },
        { $group: { _id: '$userId' } },
        { $sort: { _id: 1 } },
        { $limit: limit },
      ])
      .toArray();
    return rows.map(({ _id }) => _id);
  }
}

/** An account of which nothing is known yet. */
export const newAccount = (userId: string, exchange: string, dueAt: number | null): Account => ({
  userId,
  exchange,
  holdings: [],
  cash: [],
  syncedAt: null,
  dueAt,
  failures: 0,
  fault: null,
  // Not that of an account that was here before and is still being read.
  revision: Date.now(),
});
