import type { Redis } from 'ioredis';
import type { Market } from '../candles/series.js';
import { awaitRedis } from '../servers/redis.js';

/**
 * The time up to which the price watch of a market has worked on ticks, in ms since 1970: the next holder goes on from there.
 * It is lost with the data of Redis, and the ticks with it. Throws `redis_unavailable`.
 */
export class WatchProgress {
  readonly #redis: Redis;
  readonly #key: string;

  constructor(redis: Redis, market: Market) {
    this.#redis = redis;
    this.#key = `tidemark:price-watch-at:${market}`;
  }

  /** Null before the first tick. */
  async read(): Promise<number | null> {
    const text = await awaitRedis(this.#redis.get(this.#key));
    return text === null ? null : Number(text);
  }

  async write(atMs: number): Promise<void> {
    await awaitRedis(this.#redis.set(this.#key, atMs));
  }
}
