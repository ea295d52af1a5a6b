import type { Collection, Db } from 'mongodb';
import type { TradingAccount } from '../../compute/model/trading-account.js';
import { openCollection } from '../servers/open-collection.js';

/** An open order on an account of a user that no signal has placed. */
export interface ForeignOrder {
  clientOrderId: string;
  account: TradingAccount;
  /** Such as "BTC/USDT". */
  pair: string;
  /** Whether its id has the form of the ids of signals' orders. */
  hasOwnId: boolean;
}

/** The orders of an account that no signal has placed, as they were seen last. */
export interface ForeignOrders {
  userId: string;
  exchange: string;
  orders: ForeignOrder[];
  seenAt: Date;
}

type ForeignOrdersDocument = ForeignOrders & { _id: string };

/** Orders that were not seen again for this long count as gone. The whole of an account is read once an hour while signals trade on it. */
const shownMs = 7_200_000;

/** Open orders of unknown origin. Tidemark shows them and does not change them. */
export class ForeignOrderRepository {
  readonly #collection: Collection<ForeignOrdersDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'foreign_orders');
  }

  /**
   * Stores the orders seen on an account, in place of those seen before, and answers whether there are any. `isElsewhere`: which of those
   * seen before stand where was not looked; they stay.
   */
  async put(
    found: ForeignOrders,
    isElsewhere: (order: ForeignOrder) => boolean = () => false,
  ): Promise<boolean> {
    const _id = `${found.exchange} ${found.userId}`;
    const before = await this.#collection.findOne({ _id });
    const orders = [...(before?.orders ?? []).filter(isElsewhere), ...found.orders];
    if (orders.length === 0) await this.#collection.deleteOne({ _id });
    else await this.#collection.replaceOne({ _id }, { ...found, orders }, { upsert: true });
    return orders.length > 0;
  }

  /** The orders of one user, or of all users, sorted by exchange and user. */
  async list({ userId, limit }: { userId?: string; limit: number }): Promise<ForeignOrders[]> {
    return this.#collection
      .find(
        { ...(userId === undefined ? {} : { userId }), seenAt: { $gt: new Date(Date.now() - shownMs) } },
        { projection: { _id: 0 } },
      )
      .sort({ _id: 1 })
      .limit(limit)
      .toArray();
  }
}
