import type { Collection, Db } from 'mongodb';
import type { TradingAccount } from '../../compute/model/trading-account.js';
import type { PositionAccount } from '../../compute/paper/margin/margin-terms.js';
import { findByValues } from '../servers/find-by-values.js';
import { isOnlyDuplicates } from '../servers/mongo.js';
import { openCollection } from '../servers/open-collection.js';

/** A wallet of MARGIN or FUTURES in a snapshot; see `WalletState`. */
export interface SnapshotWallet {
  account: PositionAccount;
  since: number | null;
  worth: { asset: string; quantity: string }[];
  transferred: { asset: string; quantity: string }[];
}

/** What an account was worth at the start of a UTC day. Amounts are decimals as text, values in the quote currency. */
export interface EquitySnapshot {
  userId: string;
  exchange: string;
  /** YYYY-MM-DD; the snapshot is taken at its start, or as soon after it as a worker runs. */
  day: string;
  at: Date;
  value: string;
  /** Everything on SPOT. */
  assets: { asset: string; quantity: string }[];
  /** What was paid in (above 0) or out since the snapshot before: changes of balances that no order explains. */
  flow: string;
  /** The wallets of MARGIN and FUTURES; absent where they were not known. */
  wallets?: SnapshotWallet[];
  /** Accounts whose last reading failed; they count with the balances of the reading before. */
  stale?: TradingAccount[];
  /** Accounts that were never read, which are not part of the value. */
  unread?: TradingAccount[];
  /** Assets without a price, which are not part of the value. */
  unpriced: string[];
  /** Price of BTC then; null if it was unknown. */
  benchmark: string | null;
}

/** A snapshot without the contents of the account. */
export type EquityPoint = Omit<EquitySnapshot, 'assets' | 'userId' | 'at' | 'wallets'> & {
  wallets?: Pick<SnapshotWallet, 'account'>[];
};

type EquityDocument = EquitySnapshot & { _id: string };

const idOf = (userId: string, exchange: string, day: string) => `${userId}:${exchange}:${day}`;

/** One snapshot for each account and day. */
export class EquityRepository {
  readonly #collection: Collection<EquityDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'equity');
  }

  /** Stores snapshots; the first of an account and day stays. */
  async add(snapshots: readonly EquitySnapshot[]): Promise<void> {
    if (snapshots.length === 0) return;
    const documents = snapshots.map((each) => ({ ...each, _id: idOf(each.userId, each.exchange, each.day) }));
    try {
      await this.#collection.insertMany(documents, { ordered: false });
    } catch (error) {
      if (!isOnlyDuplicates(error)) throw error;
    }
  }

  /** The snapshots of accounts on one day, without an order; accounts without one are left out. */
  async onDay(
    accounts: readonly Pick<EquitySnapshot, 'userId' | 'exchange'>[],
    day: string,
  ): Promise<EquitySnapshot[]> {
    const ids = accounts.map(({ userId, exchange }) => idOf(userId, exchange, day));
    return findByValues(this.#collection, '_id', ids, { projection: { _id: 0 } });
  }

  /** The last snapshot of an account before a day; null if there is none. */
  async before(userId: string, exchange: string, day: string): Promise<EquitySnapshot | null> {
    const found = this.#collection
      .find({ userId, exchange, day: { $lt: day } }, { projection: { _id: 0 } })
      .sort({ day: -1 })
      .limit(1);
    return (await found.toArray()).at(0) ?? null;
  }

  /** The snapshots of all accounts of a user since a day, the oldest first. */
  async ofUser(userId: string, sinceDay: string): Promise<EquityPoint[]> {
    return this.#collection
      .find({ userId, day: { $gte: sinceDay } })
      .project<EquityPoint>({
        _id: 0,
        userId: 0,
        assets: 0,
        at: 0,
        'wallets.worth': 0,
        'wallets.transferred': 0,
        'wallets.since': 0,
      })
      .sort({ day: 1, exchange: 1 })
      .toArray();
  }
}
