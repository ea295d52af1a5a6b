import type { Redis } from 'ioredis';

const key = 'tidemark:watched';

/** Whoever looks again so soon has been told of; should Redis have lost it, it knows again by then. */
const tellAgainMs = 60_000;
const mostRemembered = 10_000;

/** Users who have looked at what they hold lately: theirs is kept current by the second. To be lost with Redis. */
export class WatchedUsers {
  readonly #redis: Redis;
  readonly #forMs: number;
  /** When users were last told of, the latest last. */
  readonly #told = new Map<string, number>();

  constructor(redis: Redis, forMs = 900_000) {
    this.#redis = redis;
    this.#forMs = forMs;
  }

  /** Tells that a user has looked. */
  async seen(userId: string): Promise<void> {
    const now = Date.now();
    if (now - (this.#told.get(userId) ?? 0) < tellAgainMs) return;
    await this.#redis.zadd(key, now, userId);
    this.#told.delete(userId);
    this.#told.set(userId, now);
    const [longest] = this.#told.keys();
    if (this.#told.size > mostRemembered) this.#told.delete(longest);
  }

  /** Who has looked within the last 15 minutes. */
  async list(): Promise<string[]> {
    const since = Date.now() - this.#forMs;
    await this.#redis.zremrangebyscore(key, '-inf', String(since));
    return this.#redis.zrange(key, '0', '-1');
  }
}
