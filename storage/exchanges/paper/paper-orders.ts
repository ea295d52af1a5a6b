import { MongoBulkWriteError, type Collection, type Db, type Filter, type WithId } from 'mongodb';
import { pairName, type PairSymbols } from '../../../compute/model/market-pair.js';
import { findByValues, portions } from '../../servers/find-by-values.js';
import { isDuplicate } from '../../servers/mongo.js';
import { openCollection } from '../../servers/open-collection.js';
import { anyLevel, isOrderRow, watchOf, type PaperEventRow, type PaperOrderRow } from './paper-rows.js';
import type { MarketTick } from '../../../compute/model/market-tick.js';

type AnyRow = PaperOrderRow | PaperEventRow;

/**
 * The orders of paper accounts and what happened to them, in one collection. Rows are inserted and never changed, except that
 * they become settled. An event is stored under the number that follows the one before it, so of two processes that
 * decide about an order at the same time one is refused.
 */
export class PaperOrderRepository {
  readonly #collection: Collection<AnyRow>;
  #isUsed = false;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'paper_orders');
  }

  /**
   * Stores new rows in one write. Answers the ids of those that were refused: their id or the number of the order is taken.
   */
  async add(rows: readonly AnyRow[]): Promise<Set<string>> {
    if (rows.length === 0) return new Set();
    try {
      await this.#collection.insertMany([...rows], { ordered: false });
      return new Set();
    } catch (error) {
      if (!(error instanceof MongoBulkWriteError && isDuplicate(error))) throw error;
      const failed = [error.writeErrors].flat();
      const other = failed.find(({ code }) => code !== 11000);
      if (other) throw error;
      return new Set(failed.map(({ index }) => rows[index]._id));
    }
  }

  /** The rows of orders of these users that have not ended, or whose fills are not in the account. */
  live(userIds: readonly string[]): Promise<AnyRow[]> {
    return findByValues(this.#collection, 'liveOf', userIds);
  }

  /** The rows of orders, by client order id. */
  ofOrders(ids: readonly string[]): Promise<AnyRow[]> {
    return findByValues(this.#collection, 'order', ids);
  }

  /** The orders that the range of a tick reaches. */
  async reachedBy({ pair, high, low }: MarketTick): Promise<PaperOrderRow[]> {
    const [fromAbove, fromBelow] = await Promise.all([
      this.#find({ watch: watchOf(pair, '<'), level: { $gte: Number(String(low)) } }),
      this.#find({ watch: watchOf(pair, '>'), level: { $lte: Number(String(high)) } }),
    ]);
    return [...fromAbove, ...fromBelow].filter(isOrderRow);
  }

  /** The events with fills of a user's orders of a pair at `sinceMs` and later, the oldest first. */
  async fillsSince(userId: string, pair: PairSymbols, sinceMs: number): Promise<PaperEventRow[]> {
    const filter = { userId, pair: pairName(pair), at: { $gte: sinceMs }, quantity: { $ne: null } };
    const rows = await this.#collection
      .find(filter as Filter<AnyRow>)
      .sort({ at: 1, orderSeq: 1, number: 1 })
      .toArray();
    return rows.filter((row): row is WithId<PaperEventRow> => !isOrderRow(row));
  }

  /** Whether no order was ever placed; once there is one, it is not looked up again. */
  async isEmpty(): Promise<boolean> {
    this.#isUsed ||= (await this.#collection.estimatedDocumentCount()) > 0;
    return !this.#isUsed;
  }

  /** Changes the watched level of these orders, so that every price reaches them. */
  async watchAlways(rows: readonly PaperOrderRow[]): Promise<void> {
    for (const pair of new Set(rows.map((row) => row.pair))) {
      const ids = rows.filter((row) => row.pair === pair).map(({ _id }) => _id);
      await this.#set(ids, { watch: `${pair}<`, level: anyLevel });
    }
  }

  /** Users, but `without`, whose events wait for settlement: those of at most `limit` events. */
  async usersDue(limit: number, without: readonly string[]): Promise<string[]> {
    const others = without.length === 0 ? {} : { userId: { $nin: [...without] } };
    const rows = await this.#collection
      .find({ isDue: true, ...others }, { projection: { userId: 1 } })
      .limit(limit)
      .toArray();
    return [...new Set(rows.map(({ userId }) => userId))];
  }

  /** Notes that no price reaches these orders any more. */
  async unwatch(ids: readonly string[]): Promise<void> {
    await this.#set(ids, { watch: null, level: null });
  }

  /** Notes that these rows no longer count for what is free. */
  async close(ids: readonly string[]): Promise<void> {
    await this.#set(ids, { liveOf: null });
  }

  /** Notes that these event rows are settled and no longer count for what is free. */
  async closeDue(ids: readonly string[]): Promise<void> {
    await this.#set(ids, { liveOf: null, isDue: false });
  }

  /** Notes that nothing is left to do for these events. */
  async settle(ids: readonly string[]): Promise<void> {
    await this.#set(ids, { isDue: false });
  }

  async #set(ids: readonly string[], values: Partial<PaperOrderRow & PaperEventRow>): Promise<void> {
    for (const some of portions(ids))
      await this.#collection.updateMany({ _id: { $in: some } }, { $set: values });
  }

  #find(filter: Filter<AnyRow>): Promise<AnyRow[]> {
    return this.#collection.find(filter).toArray();
  }
}
