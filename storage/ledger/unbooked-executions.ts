import type { Collection, Db } from 'mongodb';
import { openCollection } from '../servers/open-collection.js';
import { isDueBy } from '../signals/due-condition.js';
import type { StoredExecution } from '../signals/stored-execution.js';

type UnbookedDocument = Omit<StoredExecution, 'id'> & { _id: string };

/** Executions that have ended with a trade and are not booked yet. The write that ends an execution says so, in `bookAt`. */
export class UnbookedExecutions {
  readonly #collection: Collection<UnbookedDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'executions');
  }

  /** Those that are due, longest due first. */
  async due(nowMs: number, limit: number): Promise<StoredExecution[]> {
    const found = this.#collection
      .find({ bookAt: isDueBy(nowMs) })
      .sort({ bookAt: 1 })
      .limit(limit);
    return (await found.toArray()).map(({ _id, ...rest }) => ({ id: _id, ...rest }));
  }

  /** Notes that they are booked as they were read. One that has changed since stays due. */
  async noteBooked(executions: readonly Pick<StoredExecution, 'id' | 'revision'>[]): Promise<void> {
    await this.#set(executions, null);
  }

  /** Leaves them for later, because they cannot be booked now. */
  async postpone(
    executions: readonly Pick<StoredExecution, 'id' | 'revision'>[],
    untilMs: number,
  ): Promise<void> {
    await this.#set(executions, new Date(untilMs));
  }

  /** Makes those due that ended in a version which did not book. Returns how many there were. */
  async markOld(nowMs: number): Promise<number> {
    const { matchedCount } = await this.#collection.updateMany(
      { bookAt: { $exists: false }, endedAt: { $gt: new Date(0) } },
      { $set: { bookAt: new Date(nowMs) } },
    );
    return matchedCount;
  }

  async #set(
    executions: readonly Pick<StoredExecution, 'id' | 'revision'>[],
    bookAt: Date | null,
  ): Promise<void> {
    if (executions.length === 0) return;
    const writes = executions.map(({ id, revision }) => ({
      updateOne: { filter: { _id: id, revision }, update: { $set: { bookAt } } },
    }));
    await this.#collection.bulkWrite(writes, { ordered: false });
  }
}
