import type { Collection, Db, Filter } from 'mongodb';
import { openStatuses } from '../../compute/signals/execution.js';
import { portions } from '../servers/find-by-values.js';
import { openCollection } from '../servers/open-collection.js';
import {
  isOrderEnded,
  type ExecutionLine,
  type StoredExecution,
  type StoredOrder,
} from './stored-execution.js';

type ExecutionStatus = StoredExecution['status'];

/** How many executions have which status. */
export type StatusCounts = Partial<Record<ExecutionStatus, number>>;

/** The fields of an execution that users and partners see. */
export type FollowedExecution = Pick<
  StoredExecution,
  | 'id'
  | 'signalId'
  | 'channelId'
  | 'subscriptionId'
  | 'userId'
  | 'exchange'
  | 'market'
  | 'pair'
  | 'status'
  | 'reason'
  | 'state'
  | 'orders'
  | 'events'
  | 'createdAt'
  | 'endedAt'
>;

/** The same fields of an open execution, with its account. */
export type OpenedExecution = FollowedExecution & Pick<StoredExecution, 'account'>;

type ReadDocument = Omit<FollowedExecution, 'id'> &
  Pick<StoredExecution, 'wish' | 'dueAt' | 'revision'> &
  Partial<Pick<StoredExecution, 'account' | 'fault' | 'isHandedOver'>> & { _id: string };

/** An order with the signal that it belongs to. */
export interface FollowedOrder {
  order: StoredOrder;
  signalId: string;
  channelId: string;
  exchange: string;
  market: string;
  pair: string;
  /** Lines of the timeline about the leg of the order, oldest first. */
  events: ExecutionLine[];
}

export interface ExecutionQuery {
  userId: string;
  status?: ExecutionStatus | undefined;
  channelId?: string | undefined;
  /** The execution after which the page starts. */
  after?: string | undefined;
  limit: number;
}

export interface OrderQuery {
  userId: string;
  status?: StoredOrder['status'] | undefined;
  /** The base asset of the pair. */
  asset?: string | undefined;
  exchange?: string | undefined;
  after?: OrderPlace | undefined;
  limit: number;
}

/** A place in the list of orders: that of an execution, and the index of the order in it. */
export interface OrderPlace {
  executionId: string;
  index: number;
}

const areHeldWithStop = {
  endedAt: null,
  status: { $in: ['open', 'closing'] as ExecutionStatus[] },
  'state.stop': { $ne: null },
  'state.position.quantity': { $ne: '0' },
} as const;

const areOpen: Filter<ReadDocument> = { status: { $in: [...openStatuses] } };

/** Queries of users and partners about executions. Each names the user, or signals that the caller has found to be the partner's. */
export class ExecutionReads {
  readonly #collection: Collection<ReadDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'executions');
  }

  /** How many executions of each signal have which status. Signals without executions are missing. */
  async countsOf(signalIds: readonly string[]): Promise<Map<string, StatusCounts>> {
    const rows = await this.#collection
      .aggregate<{ _id: { signalId: string; status: ExecutionStatus }; count: number }>([
        { $match: { signalId: { $in: [...signalIds] } } },
        { $group: { _id: { signalId: '$signalId', status: '$status' }, count: { $sum: 1 } } },
      ])
      .toArray();
    const counts = new Map<string, StatusCounts>();
    for (const { _id, count } of rows)
      counts.set(_id.signalId, { ...counts.get(_id.signalId), [_id.status]: count });
    return counts;
  }

  /** Whether a signal has executions, and all of them have ended. */
  async haveAllEnded(signalId: string): Promise<boolean> {
    return !(await this.#hasAny(signalId, areOpen)) && (await this.#hasAny(signalId, {}));
  }

  /** Those of these entries of a signal that have bought something for any subscriber. */
  async filledLegs(signalId: string, legs: readonly string[]): Promise<string[]> {
    const filled = await Promise.all(
      legs.map((id) =>
        this.#hasAny(signalId, { 'state.entries': { $elemMatch: { id, filled: { $ne: '0' } } } }),
      ),
    );
    return legs.filter((_, index) => filled[index]);
  }

  /** Those of these signals that have an execution that has not ended. */
  async openSignals(signalIds: readonly string[]): Promise<Set<string>> {
    const open = new Set<string>();
    for (const some of portions(signalIds)) {
      const are = await Promise.all(some.map((id) => this.#hasAny(id, areOpen)));
      for (const [n, id] of some.entries()) if (are[n]) open.add(id);
    }
    return open;
  }

  /** The signals of which a subscriber holds a position, by channel. */
  async heldSignals(): Promise<Map<string, string[]>> {
    const rows = this.#collection.aggregate<{ _id: string; signals: string[] }>([
      { $match: { endedAt: null, status: { $in: ['open', 'closing'] } } },
      { $group: { _id: '$channelId', signals: { $addToSet: '$signalId' } } },
    ]);
    return new Map((await rows.toArray()).map(({ _id, signals }) => [_id, signals]));
  }

  async #hasAny(signalId: string, filter: Filter<ReadDocument>): Promise<boolean> {
    return (await this.#collection.findOne({ signalId, ...filter }, { projection: { _id: 1 } })) !== null;
  }

  /** The executions of a user, those of the newest signals first. */
  async ofUser({ userId, status, channelId, after, limit }: ExecutionQuery): Promise<FollowedExecution[]> {
    const filter: Filter<ReadDocument> = {
      userId,
      ...(status === undefined ? {} : { status }),
      ...(channelId === undefined ? {} : { channelId }),
      ...(after === undefined ? {} : { _id: { $lt: after } }),
    };
    const found = await this.#collection.find(filter).sort({ _id: -1 }).limit(limit).toArray();
    return found.map(toFollowed);
  }

  /** The execution of a signal for a user; null if the user has none. */
  async find(userId: string, signalId: string): Promise<FollowedExecution | null> {
    const [found] = await this.#collection.find({ userId, signalId }).sort({ _id: -1 }).limit(1).toArray();
    return found ? toFollowed(found) : null;
  }

  /** The open executions of a user, the newest first; with `asset` or `exchange`, only those of it. */
  async openOf(
    userId: string,
    { asset = null, exchange = null }: { asset?: string | null; exchange?: string | null } = {},
  ): Promise<OpenedExecution[]> {
    const found = await this.#collection
      .find({
        userId,
        endedAt: null,
        ...(asset === null ? {} : { pair: pairsOf(asset) }),
        ...(exchange === null ? {} : { exchange }),
      } as Filter<ReadDocument>)
      .sort({ _id: -1 })
      .toArray();
    return found.map(({ _id, account = 'SPOT', ...rest }) => ({ id: _id, account, ...rest }));
  }

  /** The orders of a user: those of the newest signals first, and of each signal the newest first. */
  async orders(query: OrderQuery): Promise<{ orders: FollowedOrder[]; next: OrderPlace | null }> {
    const found: { place: OrderPlace; order: FollowedOrder }[] = [];
    for await (const document of this.#withOrders(query)) {
      const execution = toFollowed(document);
      for (let index = execution.orders.length - 1; index >= 0; index--) {
        const place = { executionId: execution.id, index };
        if (isShown(execution.orders[index], place, query))
          found.push({ place, order: followed(execution, index) });
      }
      if (found.length > query.limit) break;
    }
    const page = found.slice(0, query.limit);
    return {
      orders: page.map(({ order }) => order),
      next: found.length > query.limit ? page.at(-1)!.place : null,
    };
  }

  #withOrders({ userId, asset, exchange, after, status }: OrderQuery) {
    return this.#collection
      .find({
        userId,
        'orders.0': { $exists: true },
        ...(asset === undefined ? {} : { pair: pairsOf(asset) }),
        ...(exchange === undefined ? {} : { exchange }),
        ...(status === undefined ? {} : { 'orders.status': status }),
        ...(after === undefined ? {} : { _id: { $lte: after.executionId } }),
      } as Filter<ReadDocument>)
      .sort({ _id: -1 })
      .batchSize(50);
  }

  /** An order of a user by its client order id; null if the user has none. */
  async order(userId: string, clientOrderId: string): Promise<FollowedOrder | null> {
    const found = await this.#collection.findOne({ userId, 'orders.clientOrderId': clientOrderId });
    if (!found) return null;
    const execution = toFollowed(found);
    return followed(
      execution,
      execution.orders.findIndex((order) => order.clientOrderId === clientOrderId),
    );
  }

  /**
   * Asks for the close of a user's open executions: their open orders are cancelled and their positions are closed. They are
   * due at once. Returns how many there are.
   */
  async wishClose(
    of: {
      userId: string;
      exchange?: string | undefined;
      subscriptionId?: string | undefined;
      signalId?: string | undefined;
    },
    now = Date.now(),
  ): Promise<number> {
    const change = { $set: { wish: 'close' as const, dueAt: new Date(now) }, $inc: { revision: 1 } };
    return (await this.#collection.updateMany(openOf(of), change)).matchedCount;
  }

  /**
   * Ends a user's open executions on an exchange without an order: the user goes on with what is held and with the orders that
   * stand there. Their results stay unknown, so they are not booked.
   */
  async handOver(of: { userId: string; exchange: string }, now = Date.now()): Promise<void> {
    const at = new Date(now);
    const reason =
      'handed over to the user: what is held and the orders that stand at the exchange stay there';
    const ended = { status: 'closed' as const, reason, wish: null, dueAt: null, endedAt: at };
    const forGood = { isHandedOver: true as const, fault: null };
    const line = { at, type: 'closed', cause: reason, figures: {} };
    await this.#collection.updateMany(openOf(of), {
      $set: { ...ended, ...forGood },
      $push: { events: line },
      $inc: { revision: 1 },
    });
  }

  /** Makes open executions due, because a halt or pause of their entries has changed: those of a user, of a partner or all. */
  async wakeOpen(
    of: {
      userId?: string;
      partnerId?: string;
      channelId?: string | undefined;
      exchange?: string | undefined;
      subscriptionId?: string | undefined;
    },
    now = Date.now(),
  ): Promise<number> {
    const change = { $set: { dueAt: new Date(now) }, $inc: { revision: 1 } };
    return (await this.#collection.updateMany(openOf(of), change)).matchedCount;
  }

  /**
   * Since when each open position is without its stop at the exchange, of those whose stop should stand there. An order that was stop and
   * target in one, and sells at its target, is no stop any more.
   */
  async unprotectedSince(): Promise<Date[]> {
    const isExit = { leg: { $in: ['stop', 'close'] } };
    const found = this.#collection.find({
      ...areHeldWithStop,
      'state.stopOnExchange': true,
      $or: [
        { orders: { $not: { $elemMatch: { ...isExit, status: { $in: ['open', 'partly_filled'] } } } } },
        { 'state.orders': { $elemMatch: { state: 'placed', isAtTarget: true } } },
      ],
    } as Filter<ReadDocument>);
    const rows = await found
      .project<Pick<StoredExecution, 'orders'>>({
        'orders.leg': 1,
        'orders.reduces': 1,
        'orders.status': 1,
        'orders.updatedAt': 1,
        'orders.fills.at': 1,
      })
      .toArray();
    return rows.map(({ orders }) => {
      // Since its last stop has ended or begun to sell, or since something was bought.
      const ended = orders.filter(
        ({ leg, status }) => leg === 'stop' && (isOrderEnded({ status }) || status === 'partly_filled'),
      );
      const times = (ended.length > 0 ? ended : orders.filter(({ reduces }) => !reduces)).map(
        ({ status, fills, updatedAt }) =>
          (status === 'partly_filled' ? (fills.at(0)?.at ?? updatedAt) : updatedAt).getTime(),
      );
      return new Date(Math.max(0, ...times));
    });
  }

  /** How many open positions have a stop that is not to stand at the exchange: this service alone watches it. */
  async countWatched(): Promise<number> {
    return this.#collection.countDocuments({ ...areHeldWithStop, 'state.stopOnExchange': false });
  }

  /** How many executions have not ended. */
  async countOpen(of: { partnerId: string }): Promise<number> {
    return this.#collection.countDocuments(openOf(of));
  }
}

/** Every pair of the asset; the character after a slash is 0. */
const pairsOf = (asset: string) => ({ $gte: `${asset}/`, $lt: `${asset}0` });

const openOf = (of: Readonly<Record<string, string | undefined>>): Filter<ReadDocument> => ({
  ...Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined)),
  endedAt: null,
});

const toFollowed = ({ _id, ...rest }: ReadDocument): FollowedExecution => ({ id: _id, ...rest });

const isShown = (order: StoredOrder, place: OrderPlace, { status, after }: OrderQuery): boolean =>
  (status === undefined || order.status === status) &&
  (place.executionId !== after?.executionId || place.index < after.index);

function followed(
  { orders, events, signalId, channelId, exchange, market, pair }: FollowedExecution,
  index: number,
): FollowedOrder {
  const order = orders[index];
  return {
    order,
    signalId,
    channelId,
    exchange,
    market,
    pair,
    events: events.filter(({ figures }) => figures.leg === order.leg),
  };
}
