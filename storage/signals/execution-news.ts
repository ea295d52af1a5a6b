import { boundedCache } from '../process/bounded-cache.js';
import type { LiveEvent, TellLive } from '../live/live-events.js';
import type { StoredExecution } from './stored-execution.js';

/** What was told of an execution: what its events and orders looked like. */
interface Told {
  signal: string;
  orders: ReadonlyMap<string, string>;
}

/** Tells the owners of executions what is new: a line of the timeline, another status, an order that has changed. */
export class ExecutionNews {
  readonly #tell: TellLive;
  /** An execution that is not in here is told of as a whole. */
  readonly #told = boundedCache<Told>(20_000);

  constructor(tell: TellLive) {
    this.#tell = tell;
  }

  async tell(executions: readonly StoredExecution[]): Promise<void> {
    const news = executions.flatMap((execution) => this.#newsOf(execution));
    if (news.length > 0) await this.#tell(news);
  }

  #newsOf({ id, signalId, userId, exchange, status, events, orders }: StoredExecution): LiveEvent[] {
    const before = this.#told.get(id);
    const now: Told = {
      signal: `${status} ${events.length}`,
      orders: new Map(orders.map((order) => [order.clientOrderId, `${order.status} ${order.filled}`])),
    };
    this.#told.set(id, now);
    const to = { userId };
    const changed = orders.filter(({ clientOrderId: of }) => before?.orders.get(of) !== now.orders.get(of));
    const told = changed.map(({ clientOrderId, status, filled }): LiveEvent => {
      return { to, name: 'order', data: { id: clientOrderId, signal: signalId, status, filled } };
    });
    if (before?.signal === now.signal) return told;
    const { type = null, cause = null } = events.at(-1) ?? {};
    return [
      ...told,
      { to, name: 'signal', data: { id: signalId, exchange, status, event: { type, cause } } },
    ];
  }
}
