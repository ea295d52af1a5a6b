import { randomUUID } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { pairName } from '../../../../compute/model/market-pair.js';
import type { MarketTick } from '../../../../compute/model/market-tick.js';
import { isOpenMarginOrder, type MarginOrder } from '../../../../compute/paper/margin/margin-account.js';
import type { PositionAccount } from '../../../../compute/paper/margin/margin-terms.js';
import { marginIdOf, type MarginChange, type StoredMargin } from './stored-margin.js';
import { MarginLevelRows } from './margin-level-rows.js';
import { findByValues, portions } from '../../../servers/find-by-values.js';
import { isDuplicate, isOnlyDuplicates } from '../../../servers/mongo.js';
import { openCollection } from '../../../servers/open-collection.js';
import { replaceRevisions, type Replacement } from '../../../servers/replace-revisions.js';
import {
  decodeMargin,
  decodeMarginOrder,
  encodeMargin,
  encodeMarginOrder,
  type MarginAccountJson,
  type MarginOrderJson,
} from './margin-json.js';

/** An order that has ended, after its account no longer lists it. */
export interface ArchivedOrder {
  userId: string;
  account: PositionAccount;
  order: MarginOrder;
}

type MarginDocument = MarginAccountJson & {
  /** See `marginIdOf`. */
  _id: string;
  userId: string;
  account: PositionAccount;
  /** Ids of the orders. */
  orderIds: string[];
  revision: number;
  /** Names the write that stored this revision. */
  writer: string;
};

interface ArchiveDocument {
  /** The id of the order. */
  _id: string;
  userId: string;
  account: PositionAccount;
  pair: string;
  endedAt: number;
  order: MarginOrderJson;
}

/**
 * Margin and futures accounts. All of an account is one document, and every write of it names the revision that was read, so
 * that a write is whole or not there and overwrites nothing. An order that has ended is copied to the archive before a
 * later write takes it out of the document.
 */
export class MarginAccountRepository {
  readonly #accounts: Collection<MarginDocument>;
  readonly #archive: Collection<ArchiveDocument>;
  readonly #levels: MarginLevelRows;
  #isUsed = false;

  constructor(db: Db) {
    this.#accounts = openCollection(db, 'paper_margin');
    this.#archive = openCollection(db, 'paper_margin_orders');
    this.#levels = new MarginLevelRows(db);
  }

  /** The stored accounts with these ids; see `marginIdOf`. */
  async ofIds(ids: readonly string[]): Promise<StoredMargin[]> {
    return (await findByValues(this.#accounts, '_id', ids)).map(storedOf);
  }

  /** The accounts that list orders with these ids. */
  async withOrders(orderIds: readonly string[]): Promise<StoredMargin[]> {
    return (await findByValues(this.#accounts, 'orderIds', orderIds)).map(storedOf);
  }

  /** Orders that have ended and are no longer listed in their accounts, by id. */
  async archived(orderIds: readonly string[]): Promise<Map<string, ArchivedOrder>> {
    const found = await findByValues(this.#archive, '_id', orderIds);
    return new Map(found.map((each) => [each._id, archivedOf(each)]));
  }

  /** Archived orders of an account that ended at `sinceMs` (ms since 1970) or later. */
  async archivedSince(userId: string, account: PositionAccount, sinceMs: number): Promise<ArchivedOrder[]> {
    const filter = { userId, account, endedAt: { $gte: sinceMs } };
    return (await this.#archive.find(filter).toArray()).map(archivedOf);
  }

  /** Ids of the accounts that wait for one of these ticks, and of some that no longer do. */
  reachedBy(ticks: readonly MarketTick[]): Promise<string[]> {
    return this.#levels.reachedBy(ticks);
  }

  /** Whether there is no account yet; once there is one, it is not looked up again. */
  async isEmpty(): Promise<boolean> {
    this.#isUsed ||= (await this.#accounts.estimatedDocumentCount()) > 0;
    return !this.#isUsed;
  }

  /**
   * Writes accounts over what was read. Answers the ids of those that were written; the others have changed since, or list an
   * order whose id is taken.
   */
  async write(changes: readonly MarginChange[]): Promise<Set<string>> {
    if (changes.length === 0) return new Set();
    await this.#archiveEnded(changes.map(({ before }) => before));
    const writer = randomUUID();
    await this.#levels.add(writer, changes);
    const written = await this.#replace(changes, writer);
    await this.#levels.drop(
      changes.map(({ before }) =>
        written.has(before.state.id)
          ? { id: before.state.id, writer: before.writer }
          : { id: before.state.id, writer },
      ),
    );
    return written;
  }

  async #replace(changes: readonly MarginChange[], writer: string): Promise<Set<string>> {
    const ids = changes.map(({ before }) => before.state.id);
    const writes = changes.map((change) => writeOf(change, writer));
    const fresh = writes.filter(({ over }) => over === null).map(({ document }) => document);
    const changed = writes.flatMap(({ document, over }) => (over === null ? [] : [{ document, over }]));
    let count = await this.#insert(fresh);
    for (const some of portions(changed)) count += await this.#overwrite(some);
    if (count === ids.length) return new Set(ids);
    const stored = await this.ofIds(ids);
    return new Set(stored.filter((each) => each.writer === writer).map(({ state }) => state.id));
  }

  /** Inserts documents and returns how many were stored, or 0 if some were refused. */
  async #insert(documents: readonly MarginDocument[]): Promise<number> {
    if (documents.length === 0) return 0;
    try {
      return (await this.#accounts.insertMany(documents, { ordered: false })).insertedCount;
    } catch (error) {
      if (!isOnlyDuplicates(error)) throw error;
      return 0;
    }
  }

  /** Replaces stored documents; returns as `#insert` does. An order whose id is taken does not prevent the write of other accounts. */
  async #overwrite(some: readonly Replacement<MarginDocument>[]): Promise<number> {
    try {
      return await replaceRevisions(this.#accounts, some);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      if (some.length === 1) return 0;
    }
    // What was written before the one that failed is found by its writer.
    for (const each of some) await this.#overwrite([each]);
    return 0;
  }

  /** Removes outdated levels of accounts, which a write that was cut off has left behind. */
  async dropOldLevels(accounts: readonly StoredMargin[]): Promise<void> {
    await this.#levels.dropOld(accounts);
  }

  /** Copies orders that have ended to the archive. They were read as ended, and an ended order never changes. */
  async #archiveEnded(accounts: readonly StoredMargin[]): Promise<void> {
    const rows = accounts.flatMap(({ userId, account, state }) =>
      state.orders
        .filter((order) => !isOpenMarginOrder(order))
        .map((order) => ({
          _id: order.id,
          userId,
          account,
          pair: pairName(order.pair),
          endedAt: order.events.at(-1)!.at,
          order: encodeMarginOrder(order),
        })),
    );
    if (rows.length === 0) return;
    try {
      await this.#archive.insertMany(rows, { ordered: false });
    } catch (error) {
      if (!isOnlyDuplicates(error)) throw error;
    }
  }
}

/** The document to store, and the revision over which it is written; null for one that is not stored yet. */
function writeOf(
  { before, after }: MarginChange,
  writer: string,
): { document: MarginDocument; over: number | null } {
  const { userId, account, revision } = before;
  const archived = new Set(
    before.state.orders.filter((each) => !isOpenMarginOrder(each)).map(({ id }) => id),
  );
  const orders = after.state.orders.filter(({ id }) => !archived.has(id));
  const document = {
    _id: marginIdOf({ userId, account }),
    userId,
    account,
    writer,
    revision: (revision ?? 0) + 1,
    ...encodeMargin({ ...after.state, orders }),
    orderIds: orders.map(({ id }) => id),
  };
  return { document, over: revision };
}

const storedOf = ({ _id, userId, account, revision, writer, ...json }: MarginDocument): StoredMargin => ({
  userId,
  account,
  state: decodeMargin(_id, { wallet: json.wallet, positions: json.positions, orders: json.orders }),
  revision,
  writer,
});

const archivedOf = ({ userId, account, order }: ArchiveDocument): ArchivedOrder => ({
  userId,
  account,
  order: decodeMarginOrder(order),
});
