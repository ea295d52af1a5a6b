import { randomUUID } from 'node:crypto';
import type { Collection, Db, Filter } from 'mongodb';
import { inChunks } from './in-chunks.js';
import { isOnlyDuplicates } from '../servers/mongo.js';
import { openCollection } from '../servers/open-collection.js';
import { isDueBy } from './due-condition.js';
import { levelsOf, type WatchedExecution } from './watched-execution.js';
import type { CrossingTick, PartnerSlot, StoredExecution } from './stored-execution.js';

export type ExecutionDocument = Omit<StoredExecution, 'id'> & {
  _id: string;
  /** Names the write that stored this revision. */
  writer: string;
};

/** An order that the exchange has taken, in executions that are alike. */
export interface OpenedOrder {
  /** The revision at which the executions are. */
  revision: number;
  /** Place of the order in the list of each execution. */
  order: number;
  /** When the executions are due next. */
  dueAt: Date | null;
}

const levelFields = {
  watched: 1,
  pair: 1,
  partnerId: 1,
  slot: 1,
  seenAt: 1,
  revision: 1,
  'state.side': 1,
} as const;

/**
 * The executions of signals. Each write names the revision that was read, and is refused where that has moved on: a worker
 * that was paused, or that works on the same execution as another, cannot overwrite what it has not seen.
 */
export class ExecutionRepository {
  readonly #collection: Collection<ExecutionDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'executions');
  }

  /** Stores new executions. Those that are stored already stay as they are. */
  async addAll(executions: readonly StoredExecution[]): Promise<void> {
    if (executions.length === 0) return;
    const writer = randomUUID();
    try {
      await this.#collection.insertMany(
        executions.map((each) => toDocument(each, writer)),
        { ordered: false },
      );
    } catch (error) {
      if (!isOnlyDuplicates(error)) throw error;
    }
  }

  /** The executions of these ids, without an order. */
  async ofIds(ids: readonly string[]): Promise<StoredExecution[]> {
    return (await this.#collection.find({ _id: { $in: [...ids] } }).toArray()).map(toExecution);
  }

  /** The executions of a slot that are due, longest due first. */
  async due({ partnerId, slot }: PartnerSlot, nowMs: number, limit: number): Promise<StoredExecution[]> {
    // In the order of the index, which is that of dueAt.
    const found = this.#collection.find({ partnerId, slot, dueAt: isDueBy(nowMs) }).limit(limit);
    return (await found.toArray()).map(toExecution);
  }

  /** The slots with executions that are due. */
  async dueSlots(nowMs: number): Promise<PartnerSlot[]> {
    const rows = await this.#collection
      .aggregate<{ _id: PartnerSlot }>([
        { $match: { dueAt: isDueBy(nowMs) } },
        { $group: { _id: { partnerId: '$partnerId', slot: '$slot' } } },
      ])
      .toArray();
    return rows.map(({ _id }) => _id);
  }

  /**
   * Writes executions over the revisions before theirs. Answers the ids of those that were written; the others have changed
   * since they were read.
   */
  async writeAll(executions: readonly StoredExecution[]): Promise<Set<string>> {
    const ids = executions.map(({ id }) => id);
    if (ids.length === 0) return new Set();
    const writer = randomUUID();
    const writes = executions.map((each) => {
      const { _id, ...replacement } = toDocument(each, writer);
      return { replaceOne: { filter: { _id, revision: each.revision - 1 }, replacement } };
    });
    const { matchedCount } = await this.#collection.bulkWrite(writes, { ordered: false });
    return matchedCount === ids.length ? new Set(ids) : this.#writtenBy(writer, ids);
  }

  /**
   * Notes of several executions at one revision that the exchange has taken an order, the same of each. It does what
   * `writeAll` does in half the time.
   */
  async noteOpened(
    ids: readonly string[],
    { revision, order, dueAt }: OpenedOrder,
    nowMs: number,
  ): Promise<Set<string>> {
    const writer = randomUUID();
    const { matchedCount } = await this.#collection.updateMany(
      { _id: { $in: [...ids] }, revision },
      {
        $set: {
          writer,
          dueAt,
          [`orders.${order}.status`]: 'open',
          [`orders.${order}.updatedAt`]: new Date(nowMs),
        },
        $inc: { revision: 1 },
      },
    );
    return matchedCount === ids.length ? new Set(ids) : this.#writtenBy(writer, ids);
  }

  /** Notes a price that crossed levels of executions, and makes them due. */
  async cross(ids: readonly string[], tick: CrossingTick, nowMs: number): Promise<void> {
    await this.#collection.updateMany(
      { _id: { $in: [...ids] }, endedAt: null },
      {
        $push: { crossings: { $each: [tick], $slice: -mostCrossings } },
        $set: { dueAt: new Date(nowMs) },
        $inc: { revision: 1 },
      },
    );
  }

  /** Makes executions due, and answers their slots. */
  async wake(ids: readonly string[], nowMs: number): Promise<PartnerSlot[]> {
    if (ids.length === 0) return [];
    const filter = { _id: { $in: [...ids] } };
    await this.#collection.updateMany(filter, { $set: { dueAt: new Date(nowMs) }, $inc: { revision: 1 } });
    const found = this.#collection.find(filter).project<PartnerSlot>({ _id: 0, partnerId: 1, slot: 1 });
    return found.toArray();
  }

  /** Makes the executions of a market due that have orders on an exchange: they look up what has become of these. */
  async wakeWithOrders(market: string, nowMs: number): Promise<void> {
    await this.#collection.updateMany(
      { market, endedAt: null, 'orders.status': { $in: ['sent', 'unknown', 'open', 'partly_filled'] } },
      { $set: { dueAt: new Date(nowMs) }, $inc: { revision: 1 } },
    );
  }

  /** Makes the executions of a signal due that have not applied all of its commands yet. */
  async passCommands(signalId: string, commands: number, nowMs: number): Promise<number> {
    const { matchedCount } = await this.#collection.updateMany(
      { signalId, endedAt: null, commandsDone: { $lt: commands } },
      { $set: { dueAt: new Date(nowMs) }, $inc: { revision: 1 } },
    );
    return matchedCount;
  }

  /** How many executions of each subscription of these users are not ended, by subscription. */
  async countOpen(userIds: readonly string[]): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    for (const some of inChunks(userIds, mostAtOnce)) {
      const open = this.#collection
        .find({ userId: { $in: some }, endedAt: null })
        .project<Pick<ExecutionDocument, 'subscriptionId'>>({ _id: 0, subscriptionId: 1 });
      for await (const { subscriptionId } of open)
        counts.set(subscriptionId, (counts.get(subscriptionId) ?? 0) + 1);
    }
    return counts;
  }

  /** The executions of a market that wait for prices: all, or these. */
  async watched(market: string, ids?: readonly string[]): Promise<WatchedExecution[]> {
    const filter = {
      market,
      endedAt: null,
      watched: { $ne: null },
      ...(ids ? { _id: { $in: [...ids] } } : {}),
    };
    const found = this.#collection
      .find(filter as Filter<ExecutionDocument>)
      .project<ExecutionDocument>(levelFields);
    return (await found.toArray()).map((each) => levelsOf(toExecution(each))!);
  }

  async #writtenBy(writer: string, ids: readonly string[]): Promise<Set<string>> {
    const written = this.#collection
      .find({ _id: { $in: [...ids] }, writer })
      .project<{ _id: string }>({ _id: 1 });
    return new Set((await written.toArray()).map(({ _id }) => _id));
  }
}

/** Values looked up at once: the time of the embedded MongoDB grows with their square. */
const mostAtOnce = 50;

/** Crossings that are kept for an execution that is not advanced: then the oldest go. */
const mostCrossings = 50;

const toDocument = ({ id, ...rest }: StoredExecution, writer: string): ExecutionDocument => ({
  _id: id,
  ...rest,
  writer,
});

/** Documents of versions that traded on SPOT alone name no account. */
const storedBefore: Pick<StoredExecution, 'account' | 'marginMode'> = {
  account: 'SPOT',
  marginMode: 'ISOLATED',
};

function toExecution({ _id, ...document }: ExecutionDocument): StoredExecution {
  const rest: Partial<ExecutionDocument> & Omit<StoredExecution, 'id'> = document;
  delete rest.writer;
  return { ...storedBefore, id: _id, ...rest };
}
