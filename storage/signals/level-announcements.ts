import type { Redis } from 'ioredis';
import { Decimal } from '../../compute/model/decimal.js';
import { tellLive, type LiveEvent, type TellLive } from '../live/live-events.js';
import { levelsOf, type WatchedExecution } from './watched-execution.js';
import type { StoredExecution } from './stored-execution.js';
import { boundedCache } from '../process/bounded-cache.js';

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

/** The Redis channel on which executions announce the prices that they wait for. */
export const levelChannel = 'tidemark:signal-levels';

/** The prices that an execution waits for since a revision; null if it waits for none. */
export interface AnnouncedLevels {
  id: string;
  revision: number;
  levels: WatchedExecution | null;
}

/** An announcement as it is sent. */
type SentLevels = Omit<AnnouncedLevels, 'levels'> & {
  levels: (Omit<WatchedExecution, 'low' | 'high'> & { low: string | null; high: string | null }) | null;
};

/**
 * Tells owners what is new of their executions, and the price watch which prices these wait for. If an announcement is lost, the price watch reads the levels from
 * MongoDB within half a minute.
 */
export class LevelAnnouncer {
  readonly #redis: Redis;
  readonly #owners: ExecutionNews;

  constructor(redis: Redis) {
    this.#redis = redis;
    this.#owners = new ExecutionNews(tellLive(redis));
  }

  /** Tells the owners what is new. */
  tell(executions: readonly StoredExecution[]): void {
    void this.#owners.tell(executions);
  }

  /** Sends an announcement. Resolves also when Redis cannot take it. */
  async announce(executions: readonly StoredExecution[]): Promise<void> {
    if (executions.length === 0) return;
    const sent = executions.map((execution): SentLevels => {
      const levels = levelsOf(execution);
      const { id, revision } = execution;
      const [low, high] = [levels?.low?.toString() ?? null, levels?.high?.toString() ?? null];
      return { id, revision, levels: levels && { ...levels, low, high } };
    });
    await this.#redis.publish(levelChannel, JSON.stringify(sent)).catch(() => undefined);
  }
}

/** The announcements in a message of `levelChannel`. */
export const readLevels = (message: string): AnnouncedLevels[] =>
  (JSON.parse(message) as SentLevels[]).map(({ id, revision, levels }) => ({
    id,
    revision,
    levels: levels && { ...levels, low: readPrice(levels.low), high: readPrice(levels.high) },
  }));

const readPrice = (text: string | null): Decimal | null => (text === null ? null : Decimal.read(text));
