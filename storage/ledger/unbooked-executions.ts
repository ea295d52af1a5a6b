import type { Collection, Db } from 'mongodb';
import { openCollection } from '../servers/open-collection.js';
import { isDueBy } from '../signals/due-condition.js';
import type { StoredExecution } from '../signals/stored-execution.js';

/** An execution as it was read to be booked. */
type ReadUnbooked = Pick<StoredExecution, 'id' | 'revision' | 'bookAt'>;

type UnbookedDocument = Omit<StoredExecution, 'id'> & { _id: string };

/** Executions that have ended with a trade and are not booked yet. The write that ends an execution sets `bookAt`. */
export class UnbookedExecutions {
  readonly #collection: Collection<UnbookedDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'executions');
  }

  /** The executions that are due for booking, longest due first. */
  async due(nowMs: number, limit: number): Promise<StoredExecution[]> {
    const found = this.#collection
      .find({ bookAt: isDueBy(nowMs) })
      .sort({ bookAt: 1 })
      .limit(limit);
    return (await found.toArray()).map(({ _id, ...rest }) => ({ id: _id, ...rest }));
  }

  /** Notes that executions are booked. An execution that has changed since it was read, or was made due again, stays due. */
  async noteBooked(executions: readonly ReadUnbooked[]): Promise<void> {
    await this.#set(executions, null);
  }

  /** Postpones executions that cannot be booked now. */
  async postpone(executions: readonly ReadUnbooked[], untilMs: number): Promise<void> {
    await this.#set(executions, new Date(untilMs));
  }

  /** Makes executions due again that ended on an account since a time, because new payments may belong to their trades. */
  async markEndedSince(
    { userId, exchange, account }: Pick<StoredExecution, 'userId' | 'exchange' | 'account'>,
    since: Date,
    now: Date,
  ): Promise<void> {
    await this.#collection.updateMany(
      { userId, exchange, account, endedAt: { $gte: since } },
      { $set: { bookAt: now } },
    );
  }

  async #set(executions: readonly ReadUnbooked[], next: Date | null): Promise<void> {
    if (executions.length === 0) return;
    const writes = executions.map(({ id, revision, bookAt }) => ({
      updateOne: { filter: { _id: id, revision, bookAt }, update: { $set: { bookAt: next } } },
    }));
    await this.#collection.bulkWrite(writes, { ordered: false });
  }
}
