import type { Collection, Db } from 'mongodb';
import { pairName } from '../../../../compute/model/market-pair.js';
import type { MarketTick } from '../../../../compute/model/market-tick.js';
import { findByValues, portions } from '../../../servers/find-by-values.js';
import { openCollection } from '../../../servers/open-collection.js';
import type { MarginChange, StoredMargin } from './stored-margin.js';

/** What an account waits for since one write of it. */
interface LevelRow {
  userId: string;
  accountId: string;
  /** Account and write. Rows of other writes than the last one of the account are left over. */
  set: string;
  /** The revision that the write stores. */
  revision: number;
  /** Pair and direction, such as `BTC/USDT<`. */
  watch: string;
  level: number;
}

const setOf = (accountId: string, writer: string): string => `${accountId} ${writer}`;

/**
 * What margin accounts wait for, by price and time, so that a tick finds those that it reaches by an index. Rows are inserted
 * before the account that needs them is written, and those of the write before are removed after it: cut off anywhere,
 * there are some too many and none too few.
 */
export class MarginLevelRows {
  readonly #rows: Collection<LevelRow>;

  constructor(db: Db) {
    this.#rows = openCollection(db, 'paper_margin_levels');
  }

  /** Stores what accounts will wait for. */
  async add(writer: string, changes: readonly MarginChange[]): Promise<void> {
    const rows = changes.flatMap(({ before: { userId, state, revision }, after }) =>
      after.levels.map(({ pair, direction, level }) => ({
        userId,
        accountId: state.id,
        set: setOf(state.id, writer),
        revision: (revision ?? 0) + 1,
        watch: `${pair}${direction}`,
        level,
      })),
    );
    if (rows.length > 0) await this.#rows.insertMany(rows, { ordered: false });
  }

  /** Removes the rows of these writes of accounts. */
  async drop(sets: readonly { id: string; writer: string | null }[]): Promise<void> {
    const names = sets.flatMap(({ id, writer }) => (writer === null ? [] : [setOf(id, writer)]));
    for (const some of portions(names)) await this.#rows.deleteMany({ set: { $in: some } });
  }

  /** Removes rows of accounts that are older than the last write of the account. */
  async dropOld(accounts: readonly StoredMargin[]): Promise<void> {
    const byId = new Map(accounts.map((each) => [each.state.id, each]));
    const rows = await findByValues(this.#rows, 'accountId', [...byId.keys()]);
    const old = rows.filter(({ accountId, set, revision }) => {
      const { writer, revision: stored } = byId.get(accountId)!;
      // A later revision belongs to a write that is under way.
      return set !== setOf(accountId, writer!) && revision <= stored!;
    });
    for (const some of portions([...new Set(old.map(({ set }) => set))]))
      await this.#rows.deleteMany({ set: { $in: some } });
  }

  /** Ids of the accounts with a level that one of the ticks reaches. */
  async reachedBy(ticks: readonly MarketTick[]): Promise<string[]> {
    const found = await Promise.all(
      ticks.flatMap(({ pair, high, low, at }) => [
        this.#find(`${pairName(pair)}<`, { $gte: Number(String(low)) }),
        this.#find(`${pairName(pair)}>`, { $lte: Number(String(high)) }),
        this.#find(`${pairName(pair)}@`, { $lte: at }),
      ]),
    );
    return [...new Set(found.flat())];
  }

  async #find(watch: string, level: { $gte: number } | { $lte: number }): Promise<string[]> {
    const found = this.#rows.find({ watch, level }).project<Pick<LevelRow, 'accountId'>>({ accountId: 1 });
    return (await found.toArray()).map(({ accountId }) => accountId);
  }
}
