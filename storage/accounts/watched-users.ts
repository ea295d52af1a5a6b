import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';

const key = 'tidemark:watched';

/** A user who looks again within this time is not written again. If Redis loses its data, it has it back by then. */
const writeAgainMs = 60_000;
const mostRemembered = 10_000;

/** Users who have looked at their positions lately: those are refreshed every second. Lost when Redis loses its data. */
export class WatchedUsers {
  readonly #redis: Redis;
  readonly #forMs: number;
  readonly #written = new LRUCache<string, true>({ max: mostRemembered, ttl: writeAgainMs });

  constructor(redis: Redis, forMs = 900_000) {
    this.#redis = redis;
    this.#forMs = forMs;
  }

  /** Notes that a user has looked now. */
  async seen(userId: string): Promise<void> {
    if (this.#written.has(userId)) return;
    await this.#redis.zadd(key, Date.now(), userId);
    this.#written.set(userId, true);
  }

  /** The ids of users who have looked within the last 15 minutes. */
  async list(): Promise<string[]> {
    const since = Date.now() - this.#forMs;
    await this.#redis.zremrangebyscore(key, '-inf', String(since));
    return this.#redis.zrange(key, '0', '-1');
  }
}
