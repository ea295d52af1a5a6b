import type { Collection, Db, Filter } from 'mongodb';
import { paperName } from '../exchanges/exchange-names.js';
import { portions } from '../servers/find-by-values.js';
import { openCollection } from '../servers/open-collection.js';
import { waitsForWork } from '../signals/due-condition.js';
import type { ExecutionJson } from '../signals/execution-json.js';
import type { StoredExecution } from '../signals/stored-execution.js';

/** The fields of an execution, open or not booked yet, that the limits of its user need. */
export type OpenExecution = Pick<
  StoredExecution,
  | 'id'
  | 'userId'
  | 'subscriptionId'
  | 'exchange'
  | 'account'
  | 'marginMode'
  | 'pair'
  | 'state'
  | 'orders'
  | 'endedAt'
>;

type OpenDocument = Omit<OpenExecution, 'id'> & Pick<StoredExecution, 'bookAt'> & { _id: string };

const openFields = {
  userId: 1,
  subscriptionId: 1,
  exchange: 1,
  account: 1,
  marginMode: 1,
  pair: 1,
  state: 1,
  orders: 1,
  endedAt: 1,
} as const;

const leveragedFields = {
  userId: 1,
  exchange: 1,
  account: 1,
  pair: 1,
  'state.side': 1,
  'state.position': 1,
} as const;

/** A position of an execution on an account that holds positions. Amounts are decimals as text. */
export type LeveragedExecution = Pick<StoredExecution, 'id' | 'userId' | 'exchange' | 'account' | 'pair'> & {
  state: Pick<ExecutionJson, 'side' | 'position'>;
};

/** The fields of an execution that dividing payments needs. */
export type AccountExecution = Pick<StoredExecution, 'id' | 'channelId' | 'pair' | 'state' | 'orders'>;

/** The fields of an execution that valuing its position needs. */
export type HeldExecution = Pick<
  StoredExecution,
  'exchange' | 'market' | 'pair' | 'state' | 'orders' | 'deliveryPrice'
>;

/** The median of more followers of a signal says no more. */
const mostHeld = 1_000;

/** Executions that have not ended, and those that have ended and are not booked yet. */
export class OpenExecutions {
  readonly #collection: Collection<OpenDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'executions');
  }

  /** The executions of these users that go on, and those that have ended with a trade which is not booked yet. */
  async ofUsers(userIds: readonly string[]): Promise<OpenExecution[]> {
    const found: OpenExecution[] = [];
    for (const some of portions([...new Set(userIds)])) {
      const rows = this.#collection
        .find({ userId: { $in: some }, $or: [{ endedAt: null }, { bookAt: waitsForWork }] })
        .project<OpenDocument>(openFields);
      for await (const { _id, ...rest } of rows) found.push({ id: _id, ...rest });
    }
    return found;
  }

  /** The executions of a user on an account that go on, or have ended since a time. */
  async onAccount(
    userId: string,
    { exchange, account }: Pick<StoredExecution, 'exchange' | 'account'>,
    since: Date,
  ): Promise<AccountExecution[]> {
    const filter = { userId, exchange, account, $or: [{ endedAt: null }, { endedAt: { $gte: since } }] };
    const rows = this.#collection
      .find(filter as Filter<OpenDocument>)
      .project<OpenDocument & Pick<StoredExecution, 'channelId'>>({
        channelId: 1,
        pair: 1,
        state: 1,
        orders: 1,
      });
    return (await rows.toArray()).map(({ _id, channelId, pair, state, orders }) => {
      return { id: _id, channelId, pair, state, orders };
    });
  }

  /** Executions of a signal that hold a position, of at most 1,000 followers with money and as many on paper. */
  async holding(signalId: string): Promise<HeldExecution[]> {
    const held = { signalId, status: { $in: ['open', 'closing'] }, 'state.position.quantity': { $ne: '0' } };
    const find = (exchange: object) =>
      this.#collection
        .find({ ...held, exchange } as Filter<OpenDocument>)
        .project<HeldExecution>({
          _id: 0,
          exchange: 1,
          market: 1,
          pair: 1,
          state: 1,
          orders: 1,
          deliveryPrice: 1,
        })
        .limit(mostHeld)
        .toArray();
    return (await Promise.all([find({ $eq: paperName }), find({ $ne: paperName })])).flat();
  }

  /** The pairs of executions of a user on an account that go on, or have ended since a time. */
  async pairsSince(
    userId: string,
    { exchange, account }: Pick<StoredExecution, 'exchange' | 'account'>,
    since: Date,
  ): Promise<string[]> {
    const filter = { userId, exchange, account, $or: [{ endedAt: null }, { endedAt: { $gte: since } }] };
    const found = this.#collection.find(filter as Filter<OpenDocument>);
    const rows = await found.project<Pick<StoredExecution, 'pair'>>({ _id: 0, pair: 1 }).toArray();
    return [...new Set(rows.map(({ pair }) => pair))];
  }

  /** The positions of users' open executions on MARGIN and FUTURES of these exchanges. */
  async leveraged(userIds: readonly string[], exchanges: readonly string[]): Promise<LeveragedExecution[]> {
    const found: LeveragedExecution[] = [];
    for (const some of portions([...new Set(userIds)])) {
      const filter = {
        userId: { $in: some },
        endedAt: null,
        exchange: { $in: [...exchanges] },
        account: { $ne: 'SPOT' },
      };
      const rows = this.#collection
        .find(filter as Filter<OpenDocument>)
        .project<Omit<LeveragedExecution, 'id'> & { _id: string }>(leveragedFields);
      for await (const { _id, ...rest } of rows) found.push({ id: _id, ...rest });
    }
    return found.filter(({ account, state }) => account && Number(state?.position?.quantity ?? 0) !== 0);
  }
}
