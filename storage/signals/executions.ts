import { randomUUID } from 'node:crypto';
import { ObjectId, type Collection, type Db, type Filter } from 'mongodb';
import type { ExecutionStatus } from '../../compute/signals/execution.js';
import { findByValues, portions } from '../servers/find-by-values.js';
import { isOnlyDuplicates } from '../servers/mongo.js';
import { openCollection } from '../servers/open-collection.js';
import { replaceRevisions } from '../servers/replace-revisions.js';
import { dueBacklog, type DueBacklog, isDueBy, waitsForWork } from './due-condition.js';
import type { ExecutionJson } from './execution-json.js';
import { levelsOf, type WatchedExecution } from './watched-execution.js';
import { dueNever } from './step-fault.js';
import type {
  CrossingTick,
  ObservedDifferences,
  PartnerSlot,
  StoredExecution,
  StoredFill,
} from './stored-execution.js';

export type ExecutionDocument = Omit<StoredExecution, 'id'> & {
  _id: string;
  /** Names the write that stored this revision. */
  writer: string;
};

/** An order that the exchange has taken, at the same place in several executions of the same revision. */
export interface OpenedOrder {
  /** The revision at which the executions are. */
  revision: number;
  /** Place of the order in the list of each execution. */
  order: number;
  /** When the exchange has said so. */
  acknowledgedAt: Date;
  /** When the executions are due next. */
  dueAt: Date | null;
}

/** An execution that is due, and where it is advanced. */
export interface DueExecution extends PartnerSlot {
  id: string;
}

/** What a signal has led to for a user, as the limit of signals in a day counts it. */
export type DayExecution = Pick<StoredExecution, 'id' | 'userId' | 'endedAt'> & {
  orders: { fills: Pick<StoredFill, 'at'>[] }[];
  state: Pick<ExecutionJson, 'position' | 'side'> | null;
};

const followedFields = {
  userId: 1,
  endedAt: 1,
  'orders.fills.at': 1,
  'state.position': 1,
  'state.side': 1,
} as const;

const notFollowed: ExecutionStatus[] = ['skipped', 'rejected'];

const levelFields = {
  subscriptionId: 1,
  watched: 1,
  market: 1,
  pair: 1,
  partnerId: 1,
  slot: 1,
  seenAt: 1,
  createdAt: 1,
  revision: 1,
  'state.side': 1,
} as const;

/**
 * The executions of signals. Each write names the revision that was read, and is refused if the stored revision is another: a
 * worker that was paused, or that works on the same execution as another, cannot overwrite a change that it has not read.
 */
export class ExecutionRepository {
  readonly #collection: Collection<ExecutionDocument>;
  /** The ids of subscriptions at which pages of open executions begin, from the last reading. */
  #marks: readonly string[] = [];

  constructor(db: Db) {
    this.#collection = openCollection(db, 'executions');
  }

  /** Stores new executions, and answers all as they are stored: those that were stored already stay as they are. */
  async addAll(executions: readonly StoredExecution[]): Promise<StoredExecution[]> {
    if (executions.length === 0) return [];
    const writer = randomUUID();
    try {
      await this.#collection.insertMany(
        executions.map((each) => toDocument(each, writer)),
        { ordered: false },
      );
      return [...executions];
    } catch (error) {
      if (!isOnlyDuplicates(error)) throw error;
      const known = await this.ofIds([error.writeErrors].flat().map(({ index }) => executions[index].id));
      const byId = new Map(known.map((each) => [each.id, each]));
      return executions.map((each) => byId.get(each.id) ?? each);
    }
  }

  /** The executions of these ids, without an order. */
  async ofIds(ids: readonly string[]): Promise<StoredExecution[]> {
    return (await findByValues(this.#collection, '_id', ids)).map(toExecution);
  }

  /** The ids of the executions of a slot that are due, longest due first. */
  async dueIds({ partnerId, slot }: PartnerSlot, nowMs: number, limit: number): Promise<string[]> {
    // In the order of the index, which is that of dueAt.
    const found = this.#collection
      .find({ partnerId, slot, dueAt: isDueBy(nowMs) })
      .project<{ _id: string }>({ _id: 1 })
      .limit(limit);
    return (await found.toArray()).map(({ _id }) => _id);
  }

  /** Those of these executions that have a due time, passed or not, in no order. */
  async waitingOf(ids: readonly string[]): Promise<StoredExecution[]> {
    const find = (some: string[]) =>
      this.#collection.find({ _id: { $in: some }, dueAt: waitsForWork }).toArray();
    return (await Promise.all(portions(ids).map(find))).flat().map(toExecution);
  }

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
    let count = 0;
    for (const some of portions(executions)) {
      const all = some.map((each) => ({ document: toDocument(each, writer), over: each.revision - 1 }));
      count += await replaceRevisions(this.#collection, all);
    }
    return count === ids.length ? new Set(ids) : this.#writtenBy(writer, ids);
  }

  /**
   * Notes that the exchange has taken the same order of several executions, which all have one revision. It takes half the time
   * of `writeAll`.
   */
  async noteOpened(
    ids: readonly string[],
    { revision, order, acknowledgedAt, dueAt }: OpenedOrder,
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
          [`orders.${order}.acknowledgedAt`]: acknowledgedAt,
          [`orders.${order}.updatedAt`]: new Date(nowMs),
        },
        $inc: { revision: 1 },
      },
    );
    return matchedCount === ids.length ? new Set(ids) : this.#writtenBy(writer, ids);
  }

  /** Notes a price that crossed levels of executions, and makes them due. */
  async cross(ids: readonly string[], tick: CrossingTick, nowMs: number): Promise<void> {
    for (const some of portions(ids))
      await this.#collection.updateMany(
        { _id: { $in: some }, endedAt: null },
        {
          $push: { crossings: { $each: [tick], $slice: -mostCrossings } },
          $set: { dueAt: new Date(nowMs) },
          $inc: { revision: 1 },
        },
      );
  }

  /** Makes executions due that were not handed over, and returns the slots of all. */
  async wake(ids: readonly string[], nowMs: number): Promise<DueExecution[]> {
    const woken: DueExecution[] = [];
    for (const some of portions(ids)) {
      const own = { _id: { $in: some }, isHandedOver: { $exists: false } } as const;
      await this.#collection.updateMany(own, dueNow(nowMs));
      const found = this.#collection.find({ _id: { $in: some } });
      const rows = found.project<PartnerSlot & { _id: string }>({ _id: 1, partnerId: 1, slot: 1 });
      woken.push(...(await rows.toArray()).map(({ _id, ...slot }) => ({ id: _id, ...slot })));
    }
    return woken;
  }

  /** The users with executions that are not ended on an exchange. */
  async openUsers(exchange: string): Promise<string[]> {
    const rows = await this.#collection
      .aggregate<{ _id: string }>([
        { $match: { exchange, endedAt: null } },
        { $group: { _id: '$userId' } },
        { $sort: { _id: 1 } },
      ])
      .toArray();
    return rows.map(({ _id }) => _id);
  }

  /** The users with executions on isolated margin that are not ended, on an exchange. */
  async isolatedUsers(exchange: string): Promise<string[]> {
    const of = { exchange, endedAt: null, account: 'MARGIN', marginMode: 'ISOLATED' } as const;
    return this.#collection.distinct('userId', of);
  }

  /** The executions of a user on an exchange that are not ended, the newest first. */
  async openOf(userId: string, exchange: string): Promise<StoredExecution[]> {
    const found = this.#collection.find({ userId, exchange, endedAt: null }).sort({ _id: -1 });
    return (await found.toArray()).map(toExecution);
  }

  /** The executions of these users that have one of these orders, ended or not. */
  async withOrders(
    userIds: readonly string[],
    clientOrderIds: readonly string[],
  ): Promise<StoredExecution[]> {
    if (userIds.length === 0 || clientOrderIds.length === 0) return [];
    const owned = { userId: { $in: [...userIds] }, 'orders.clientOrderId': { $in: [...clientOrderIds] } };
    const found = this.#collection.find(owned);
    return (await found.toArray()).map(toExecution);
  }

  /** Stores differences of an execution for it to apply; false if it has changed since it was read. */
  async observe(
    { id, revision }: Pick<StoredExecution, 'id' | 'revision'>,
    observed: ObservedDifferences,
    nowMs: number,
  ): Promise<boolean> {
    const { matchedCount } = await this.#collection.updateOne(
      { _id: id, revision },
      { $set: { observed, dueAt: new Date(nowMs) }, $inc: { revision: 1 } },
    );
    return matchedCount === 1;
  }

  /** Makes the executions of a market due that have orders on an exchange, so that they look these orders up. */
  async wakeWithOrders(market: string, nowMs: number): Promise<void> {
    const statuses = ['sent', 'unknown', 'open', 'partly_filled'] as const;
    await this.#wakeEach({ 'orders.status': { $in: statuses } }, { endedAt: null, market }, nowMs);
  }

  /** Makes the open executions of all other exchanges than these due, and returns how many there are of each. */
  async wakeElsewhere(exchanges: readonly string[], nowMs: number): Promise<Map<string, number>> {
    const of = { endedAt: null, exchange: { $nin: [...exchanges] } };
    const counts = new Map<string, number>();
    const found = this.#collection.find(of).project<Pick<ExecutionDocument, 'exchange'>>({ exchange: 1 });
    for await (const { exchange } of found) counts.set(exchange, (counts.get(exchange) ?? 0) + 1);
    if (counts.size > 0) await this.#collection.updateMany(of, dueNow(nowMs));
    return counts;
  }

  /** Makes executions due now whose first orders wait for the end of their delivery, and returns their slots. */
  async wakeDelivered(nowMs: number, withinMs: number): Promise<DueExecution[]> {
    const later = { $gt: new Date(nowMs), $lte: new Date(nowMs + withinMs) };
    return this.#wakeEach({ revision: 0 }, { dueAt: later, state: { $ne: null } }, nowMs);
  }

  /** Makes the executions of a signal due that have not applied all of its commands yet. */
  async passCommands(signalId: string, commands: number, nowMs: number): Promise<DueExecution[]> {
    return this.#wakeEach({ endedAt: null, commandsDone: { $lt: commands } }, { signalId }, nowMs);
  }

  /**
   * Makes executions due in portions, so that other writes are not blocked. `where`: the condition that an index serves; `isSo`: the
   * other conditions, which are checked again with each write.
   */
  async #wakeEach(
    isSo: Filter<ExecutionDocument>,
    where: Filter<ExecutionDocument>,
    nowMs: number,
  ): Promise<DueExecution[]> {
    const rows = await this.#collection
      .find({ ...where, ...isSo } as Filter<ExecutionDocument>)
      .project<PartnerSlot & { _id: string }>({ _id: 1, partnerId: 1, slot: 1 })
      .toArray();
    for (const some of portions(rows)) {
      const ids = some.map(({ _id }) => _id);
      await this.#collection.updateMany({ _id: { $in: ids }, ...isSo }, dueNow(nowMs));
    }
    return rows.map(({ _id, ...slot }) => ({ id: _id, ...slot }));
  }

  /** How many executions of these subscriptions are not ended, by subscription. */
  async countOpen(subscriptionIds: readonly string[]): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    for (const some of portions(subscriptionIds)) {
      const open = this.#collection
        .find({ endedAt: null, subscriptionId: { $in: some } })
        .project<Pick<ExecutionDocument, 'subscriptionId'>>({ _id: 0, subscriptionId: 1 });
      for await (const { subscriptionId } of open)
        counts.set(subscriptionId, (counts.get(subscriptionId) ?? 0) + 1);
    }
    return counts;
  }

  /**
   * What users follow of the signals that a partner has created since a time: all but those that were skipped or refused. The ids
   * of executions begin with those of their signals, which begin with their time: the index of users and ids serves the query.
   */
  async followedSince(partnerId: string, userIds: readonly string[], since: Date): Promise<DayExecution[]> {
    const first = ObjectId.createFromTime(since.getTime() / 1_000).toHexString();
    const found: DayExecution[] = [];
    for (const some of portions([...new Set(userIds)])) {
      const rows = this.#collection
        .find({ userId: { $in: some }, _id: { $gte: first }, partnerId, status: { $nin: notFollowed } })
        .project<ExecutionDocument>(followedFields);
      for await (const { _id, ...rest } of rows) found.push({ id: _id, ...rest });
    }
    return found;
  }

  /**
   * The executions of a market that wait for prices, in pages. The embedded MongoDB serves no other request while it reads a
   * page, so pages are small. The first reading is one page, because it does not know where pages begin.
   */
  async *watchedPages(market: string): AsyncGenerator<WatchedExecution[]> {
    const subscriptionIds: string[] = [];
    for (const filter of inRanges(this.#marks)) {
      // Only conditions of the index are used: with others the embedded MongoDB would read all executions.
      const found = this.#collection.find(filter).project<ExecutionDocument>(levelFields);
      const page = (await found.toArray()).map(toExecution);
      subscriptionIds.push(...page.map(({ subscriptionId }) => subscriptionId));
      yield page.filter((each) => each.market === market).flatMap((each) => levelsOf(each) ?? []);
    }
    this.#marks = marksIn(subscriptionIds);
  }

  /** Executions whose work waits now. */
  backlog(nowMs: number): Promise<DueBacklog> {
    return dueBacklog(this.#collection, nowMs);
  }

  /** The executions that are left to the operator, those that failed last first. */
  async faulty(limit: number): Promise<StoredExecution[]> {
    const found = this.#collection.find({ dueAt: dueNever });
    return (await found.sort({ 'fault.at': -1 }).limit(limit).toArray()).map(toExecution);
  }

  /** Lets an execution be tried again from now on; false if its last step has not failed. */
  async retry(id: string, nowMs: number): Promise<boolean> {
    const { matchedCount } = await this.#collection.updateOne(
      { _id: id, fault: { $ne: null } },
      { $set: { 'fault.count': 0, dueAt: new Date(nowMs) }, $inc: { revision: 1 } },
    );
    return matchedCount === 1;
  }

  async #writtenBy(writer: string, ids: readonly string[]): Promise<Set<string>> {
    const written = this.#collection
      .find({ _id: { $in: [...ids] }, writer })
      .project<{ _id: string }>({ _id: 1 });
    return new Set((await written.toArray()).map(({ _id }) => _id));
  }
}

/** Open executions in a page. */
const pageSize = 200;

/** The subscriptions at which pages begin. */
function marksIn(subscriptionIds: readonly string[]): string[] {
  const sorted = [...subscriptionIds].sort();
  return [...new Set(sorted.filter((_, n) => n > 0 && n % pageSize === 0))];
}

/** Open executions by subscription: those before the first mark, between two, and from the last on. */
function inRanges(marks: readonly string[]): Filter<ExecutionDocument>[] {
  if (marks.length === 0) return [{ endedAt: null }];
  const between = marks.slice(1).map((mark, n) => ({ $gte: marks[n], $lt: mark }));
  const ranges = [{ $lt: marks[0] }, ...between, { $gte: marks.at(-1)! }];
  return ranges.map((subscriptionId) => ({ endedAt: null, subscriptionId }));
}

/** Crossings that are kept for an execution until it is advanced. Beyond these, the oldest are dropped. */
const mostCrossings = 50;

const dueNow = (nowMs: number) => ({ $set: { dueAt: new Date(nowMs) }, $inc: { revision: 1 } });

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
