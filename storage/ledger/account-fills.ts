import type { Collection, Db } from 'mongodb';
import { portions } from '../servers/find-by-values.js';
import { openCollection } from '../servers/open-collection.js';
import type { StoredExecution, StoredFill } from '../signals/stored-execution.js';

/** A fill of an execution, with the account that it changed. */
export interface AccountTrade {
  userId: string;
  exchange: string;
  pair: string;
  side: 'buy' | 'sell';
  fill: StoredFill;
}

type TradedDocument = Pick<
  StoredExecution,
  'userId' | 'exchange' | 'account' | 'pair' | 'orders' | 'endedAt'
>;

/** The trades of accounts that executions have recorded. */
export class AccountFills {
  readonly #collection: Collection<TradedDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'executions');
  }

  /** The fills since a time on the SPOT accounts of these users, without an order. */
  async since(userIds: readonly string[], since: Date): Promise<AccountTrade[]> {
    const trades: AccountTrade[] = [];
    for (const some of portions(userIds)) {
      const found = this.#collection
        .find({
          userId: { $in: some },
          account: 'SPOT',
          $or: [{ endedAt: null }, { endedAt: { $gte: since } }],
        })
        .project<TradedDocument>({ _id: 0, userId: 1, exchange: 1, pair: 1, orders: 1 });
      for await (const each of found) trades.push(...tradesOf(each, since));
    }
    return trades;
  }
}

const tradesOf = ({ userId, exchange, pair, orders }: TradedDocument, since: Date): AccountTrade[] =>
  orders.flatMap(({ side, fills }) =>
    fills.filter(({ at }) => at > since).map((fill) => ({ userId, exchange, pair, side, fill })),
  );
