import type { Redis } from 'ioredis';
import { luaNow } from '../servers/redis-now.js';
import { pulseOf, type HeardAnswer } from '../servers/redis-pulse.js';
import { boundedCache } from '../process/bounded-cache.js';

const key = 'tidemark:watched';

/** A user is written at most once in this time. After Redis has lost its data, each active user is written again within it. */
const writeAgainMs = 60_000;
const mostRemembered = 10_000;

/** Times are those of Redis, because the clocks of gateways and market workers may differ. */
const seenScript = `${luaNow}
redis.call('ZADD', KEYS[1], now, ARGV[1])`;
const listScript = `${luaNow}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[1])
return redis.call('ZRANGE', KEYS[1], 0, -1)`;

/** Users who have looked at their positions lately: those are refreshed every second. Lost when Redis loses its data. */
export class WatchedUsers {
  readonly #redis: Redis;
  readonly #forMs: number;
  readonly #written = boundedCache<true>(mostRemembered, { ttl: writeAgainMs });

  constructor(redis: Redis, forMs = 900_000) {
    this.#redis = redis;
    this.#forMs = forMs;
  }

  /** Notes that a user has looked now. */
  async seen(userId: string): Promise<void> {
    if (this.#written.has(userId)) return;
    await this.#redis.eval(seenScript, 1, key, userId);
    this.#written.set(userId, true);
  }

  /** The ids of users who have looked within the last 15 minutes, as the pulse of the connection tells them. */
  follow(): HeardAnswer<string[]> {
    return pulseOf(this.#redis).follow({ script: listScript, keys: [key], args: () => [this.#forMs] });
  }
}
