import type { Redis } from 'ioredis';

const key = 'tidemark:watched';

/** Users who have looked at what they hold lately: theirs is kept current by the second. To be lost with Redis. */
export class WatchedUsers {
  readonly #redis: Redis;
  readonly #forMs: number;

  constructor(redis: Redis, forMs = 900_000) {
    this.#redis = redis;
    this.#forMs = forMs;
  }

  /** Tells that a user has looked. */
  async seen(userId: string): Promise<void> {
    await this.#redis.zadd(key, Date.now(), userId);
  }

  /** Who has looked within the last 15 minutes. */
  async list(): Promise<string[]> {
    const since = Date.now() - this.#forMs;
    await this.#redis.zremrangebyscore(key, '-inf', String(since));
    return this.#redis.zrange(key, '0', '-1');
  }
}
