import type { Collection, Db, Filter } from 'mongodb';
import { isOnlyDuplicates } from '../servers/mongo.js';
import { openCollection } from '../servers/open-collection.js';
import type { BookedTrade } from './booked-trade.js';

type TradeDocument = Omit<BookedTrade, 'id'> & { _id: string };

/** A place in the list of trades, which begins with the one that closed last. */
export interface TradePlace {
  closedAt: Date;
  id: string;
}

export interface TradeQuery {
  userId: string;
  asset?: string | undefined;
  channelId?: string | undefined;
  /** Only trades that closed then or later. */
  since?: Date | undefined;
  after?: TradePlace | undefined;
  limit: number;
}

/** The fields of a trade that sums of profits need. */
export type ProfitLine = Pick<
  BookedTrade,
  | 'id'
  | 'asset'
  | 'tradeMarket'
  | 'exchange'
  | 'channelId'
  | 'profit'
  | 'days'
  | 'fees'
  | 'funding'
  | 'payments'
  | 'closedAt'
>;

/** The fields of a follower's trade that the record of a signal needs. */
export type FollowerResult = Pick<
  BookedTrade,
  | 'exchange'
  | 'returnPercent'
  | 'r'
  | 'entrySlippagePercent'
  | 'deliverySlippagePercent'
  | 'costPercent'
  | 'closedAt'
>;

const lineFields = {
  asset: 1,
  tradeMarket: 1,
  exchange: 1,
  channelId: 1,
  profit: 1,
  days: 1,
  fees: 1,
  closedAt: 1,
  funding: 1,
  payments: 1,
} as const;
const resultFields = {
  exchange: 1,
  returnPercent: 1,
  r: 1,
  entrySlippagePercent: 1,
  deliverySlippagePercent: 1,
  costPercent: 1,
  closedAt: 1,
  _id: 0,
} as const;

/** The closed trades of users. Each query names the users, or reads figures of a signal that identify no account. */
export class BookedTradeRepository {
  readonly #collection: Collection<TradeDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'trades');
  }

  /** Books trades. A stored trade is replaced, unless it was booked from a later revision of its execution. */
  async book(trades: readonly BookedTrade[]): Promise<void> {
    if (trades.length === 0) return;
    const writes = trades.map(({ id, ...replacement }) => ({
      replaceOne: {
        filter: { _id: id, revision: { $lte: replacement.revision } },
        replacement,
        upsert: true,
      },
    }));
    try {
      await this.#collection.bulkWrite(writes, { ordered: false });
    } catch (error) {
      // A later revision is booked already: the filter does not match, and the upsert finds the id taken.
      if (!isOnlyDuplicates(error)) throw error;
    }
  }

  /** The trades of a user, the last one first. */
  async ofUser({ userId, asset, channelId, since, after, limit }: TradeQuery): Promise<BookedTrade[]> {
    const isAfter = after && [
      { closedAt: { $lt: after.closedAt } },
      { closedAt: after.closedAt, _id: { $lt: after.id } },
    ];
    const filter: Filter<TradeDocument> = {
      userId,
      ...(asset === undefined ? {} : { asset }),
      ...(channelId === undefined ? {} : { channelId }),
      ...(since === undefined ? {} : { closedAt: { $gte: since } }),
      ...(isAfter ? { $or: isAfter } : {}),
    };
    const found = await this.#collection.find(filter).sort({ closedAt: -1, _id: -1 }).limit(limit).toArray();
    return found.map(({ _id, ...rest }) => ({ id: _id, ...rest }));
  }

  /** The closed trade of a user by the signal that it followed; null if there is none. */
  async find(userId: string, signalId: string): Promise<BookedTrade | null> {
    const [found] = await this.#collection.find({ userId, signalId }).sort({ _id: -1 }).limit(1).toArray();
    if (!found) return null;
    const { _id, ...rest } = found;
    return { id: _id, ...rest };
  }

  /** The profits of a user's trades that closed since a time, the last one first, one by one. */
  profits(userId: string, since: Date, limit: number): AsyncIterable<ProfitLine> {
    return this.#collection
      .find({ userId, closedAt: { $gte: since } })
      .project<Omit<ProfitLine, 'id'> & { _id: string }>(lineFields)
      .sort({ closedAt: -1, _id: -1 })
      .limit(limit)
      .batchSize(200)
      .map(({ _id, ...rest }): ProfitLine => ({ id: _id, ...rest }));
  }

  /** The trades of these users that closed since a time: id, owner, exchange, quote asset and profit by day. */
  async closedSince(
    userIds: readonly string[],
    since: Date,
  ): Promise<Pick<BookedTrade, 'id' | 'userId' | 'exchange' | 'tradeMarket' | 'days'>[]> {
    const found = this.#collection
      .find({ userId: { $in: [...userIds] }, closedAt: { $gte: since } })
      .project<TradeDocument>({ userId: 1, exchange: 1, tradeMarket: 1, days: 1 });
    return (await found.toArray()).map(({ _id, ...rest }) => ({ id: _id, ...rest }));
  }

  /** The results of the followers of a signal, in no order. */
  async ofSignal(signalId: string): Promise<FollowerResult[]> {
    return this.#collection.find({ signalId }).project<FollowerResult>(resultFields).toArray();
  }
}
