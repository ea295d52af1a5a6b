import type { Collection, Db, Filter } from 'mongodb';
import type { PositionAccount } from '../../compute/paper/margin/margin-terms.js';
import { isDuplicate } from '../servers/mongo.js';
import { findByValues } from '../servers/find-by-values.js';
import { openCollection } from '../servers/open-collection.js';

/** `average`: the cost comes from all fills. `since_connection`: from the price when the holding was first seen here. */
export type CostBasis = 'average' | 'since_connection';

/** A holding of one asset on an account. Quantity and cost are exact decimals. */
export interface StoredHolding {
  asset: string;
  quantity: string;
  /** The part that open orders lock, as last read; absent if unknown. */
  locked?: string;
  /** In the quote currency; null until a first price is known. */
  cost: string | null;
  basis: CostBasis;
  /** The cursor from which the next fills are read; null if none were read yet. */
  cursor: string | null;
  /** When its fills were last read, in ms; 0 if never. */
  checkedAt: number;
}

/** The balance of one asset in a wallet; see `WalletAsset`. Amounts are exact decimals. */
export interface StoredWalletAsset {
  asset: string;
  total: string;
  free: string;
  locked: string;
  borrowed: string;
  interest: string;
  unrealised: string;
}

/** The wallet of MARGIN or FUTURES as it was last read. */
export interface StoredWallet {
  account: PositionAccount;
  assets: StoredWalletAsset[];
  /** The sum of all known transfers by asset: above 0 into the wallet, below 0 out of it. */
  transferred: { asset: string; quantity: string }[];
  /** Whether SPOT shares this wallet, so that `transferred` counts transfers of SPOT as well. */
  coversSpot: boolean;
  /** When it was read first and last with this connection, in ms; null if never. */
  since: number | null;
  readAt: number | null;
  /** Up to when its ledger was read, in ms; null if never. */
  ledgerAt: number | null;
  /** Why the last reading failed; null if it did not. */
  fault: string | null;
}

/** A user's account on one exchange as it was last read. */
export interface Account {
  userId: string;
  exchange: string;
  holdings: StoredHolding[];
  /** Balances of cash assets, which are not positions. */
  cash: { asset: string; quantity: string; locked?: string }[];
  /** The wallets of MARGIN and FUTURES; absent where they were never read, and for the paper account. */
  wallets?: StoredWallet[];
  /** When it was last read completely, in ms; null if never, or for the paper account. */
  syncedAt: number | null;
  /** When to read it again, in ms; null for the paper account, which is not read. */
  dueAt: number | null;
  /** Consecutive failed readings, and why the last one failed. */
  failures: number;
  fault: string | null;
  /** How far the exchange's clock was behind this service's at the last reading, in ms; absent before the first. */
  clockLagMs?: number;
  /**
   * Only for a paper account: its last fills, by trade id, and what it was given, and when they were booked in ms. What is named here
   * is part of the balances.
   */
  booked?: { id: string; at: number }[];
  /** Raised by one with each change (optimistic locking): of two concurrent changes one is refused. */
  revision: number;
}

type AccountDocument = Account & { _id: string };

const idOf = (userId: string, exchange: string) => `${userId}:${exchange}`;

export type AccountExchanges = { only: string } | { except: readonly string[] };

/** Which accounts are due. */
export interface DueTerms {
  nowMs: number;
  /** Users whose accounts are also due when they were last read before `sinceMs` without a failure. */
  watched: readonly string[];
  sinceMs: number;
  exchanges: AccountExchanges;
  limit: number;
}

/** The accounts of users, the paper account among them. */
export class AccountRepository {
  readonly #collection: Collection<AccountDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'accounts');
  }

  /** The stored account. If there is none, the given one is stored. */
  async findOrAdd(account: Account): Promise<Account> {
    const { userId, exchange } = account;
    const found = await this.find(userId, exchange);
    if (found) return found;
    if (await this.add(account)) return account;
    // Another process has added the account first, and may have changed it since.
    return (await this.find(userId, exchange)) ?? account;
  }

  /** The accounts of many users on one exchange, in no order; users without one are left out. */
  async onExchange(exchange: string, userIds: readonly string[]): Promise<Account[]> {
    const ids = userIds.map((userId) => idOf(userId, exchange));
    return findByValues(this.#collection, '_id', ids, { projection: { _id: 0 } });
  }

  /** Stores a new account; false if there is one. */
  async add(account: Account): Promise<boolean> {
    try {
      await this.#collection.insertOne({ ...account, _id: idOf(account.userId, account.exchange) });
      return true;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      return false;
    }
  }

  /** Stores a new account, in place of one that an earlier connection left behind. */
  async startAnew(account: Account): Promise<void> {
    const _id = idOf(account.userId, account.exchange);
    try {
      await this.#collection.replaceOne({ _id }, account, { upsert: true });
    } catch (error) {
      // Another process has just stored the same.
      if (!isDuplicate(error)) throw error;
    }
  }

  async find(userId: string, exchange: string): Promise<Account | null> {
    return this.#collection.findOne({ _id: idOf(userId, exchange) }, { projection: { _id: 0 } });
  }

  /** The accounts of several users, sorted by user and exchange. */
  async ofUsers(userIds: readonly string[]): Promise<Account[]> {
    return this.#collection
      .find({ userId: { $in: [...userIds] } }, { projection: { _id: 0 } })
      .sort({ _id: 1 })
      .toArray();
  }

  /** Replaces an account; false if the stored one has another revision by now or was removed. */
  async replace(account: Account): Promise<boolean> {
    const { userId, exchange, revision } = account;
    const { matchedCount } = await this.#collection.replaceOne(
      { _id: idOf(userId, exchange), revision },
      { ...account, revision: revision + 1 },
    );
    return matchedCount === 1;
  }

  /** Removes an account, of one revision only where that is given; false if there is none. */
  async remove(userId: string, exchange: string, revision?: number): Promise<boolean> {
    const ofRevision = revision === undefined ? {} : { revision };
    const { deletedCount } = await this.#collection.deleteOne({ _id: idOf(userId, exchange), ...ofRevision });
    return deletedCount === 1;
  }

  /** The accounts that are due, longest due first. */
  async due({
    nowMs,
    watched,
    sinceMs,
    exchanges,
    limit,
  }: DueTerms): Promise<Pick<Account, 'userId' | 'exchange'>[]> {
    const isDue: Filter<AccountDocument>[] = [{ dueAt: { $lte: nowMs } }];
    if (watched.length > 0)
      isDue.push({
        userId: { $in: [...watched] },
        dueAt: { $ne: null },
        syncedAt: { $lte: sinceMs },
        failures: 0,
      });
    const among = 'only' in exchanges ? exchanges.only : { $nin: [...exchanges.except] };
    return this.#collection
      .find({ exchange: among, $or: isDue }, { projection: { _id: 0, userId: 1, exchange: 1 } })
      .sort({ dueAt: 1 })
      .limit(limit)
      .toArray();
  }

  /** Makes accounts on an exchange due. A visit that is under way is repeated, because it may have read the account before. */
  async wake(userIds: readonly string[], exchange: string, nowMs: number): Promise<void> {
    await this.#collection.updateMany(
      { _id: { $in: userIds.map((userId) => idOf(userId, exchange)) }, dueAt: { $gt: nowMs }, failures: 0 },
      { $set: { dueAt: nowMs }, $inc: { revision: 1 } },
    );
  }

  /** The assets that users hold on each of these exchanges. */
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

  /** Ids of users with holdings, in order, after `afterId`. */
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

/** An account that has not been read yet. */
export const newAccount = (userId: string, exchange: string, dueAt: number | null): Account => ({
  userId,
  exchange,
  holdings: [],
  cash: [],
  syncedAt: null,
  dueAt,
  failures: 0,
  fault: null,
  // Differs from the revision of an earlier account, which a worker may still be reading.
  revision: Date.now(),
});
