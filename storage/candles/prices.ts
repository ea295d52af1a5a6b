import type { Redis } from 'ioredis';
import { pairName, type PairSymbols } from '../../compute/model/market-pair.js';
import type { Price, PriceTick } from '../../compute/model/price.js';
import { awaitRedis } from '../servers/redis.js';
import type { Market, Pair } from './series.js';

const keyOf = (market: Market) => `tidemark:prices:${market}`;

/**
 * The last price of each pair, seconds old, in one Redis hash per market, for light reads. It is not persisted elsewhere.
 * Reads throw `redis_unavailable`.
 */
export class Prices {
  readonly #redis: Redis;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** The last price; null if there is none. Its `time` says how old it is. */
  async find(pair: Pair): Promise<Price | null> {
    const text = await awaitRedis(this.#redis.hget(keyOf(pair.market), pairName(pair)));
    return text === null ? null : (JSON.parse(text) as Price);
  }

  /** The last prices of several pairs of one market, in the order of `pairs`. */
  async findMany(market: Market, pairs: readonly PairSymbols[]): Promise<(Price | null)[]> {
    if (pairs.length === 0) return [];
    const texts = await awaitRedis(this.#redis.hmget(keyOf(market), ...pairs.map(pairName)));
    return texts.map((text) => (text === null ? null : (JSON.parse(text) as Price)));
  }

  async put(market: Market, ticks: readonly PriceTick[]): Promise<void> {
    if (ticks.length === 0) return;
    const fields = ticks.map(({ price, change24hPercent, time, ...pair }): [string, string] => [
      pairName(pair),
      JSON.stringify({ price, change24hPercent, time }),
    ]);
    await this.#redis.hset(keyOf(market), Object.fromEntries(fields));
  }

  /** Deletes prices of a market older than a time (pairs no longer followed) and returns how many. */
  async dropOlder(market: Market, olderThanMs: number): Promise<number> {
    const all = Object.entries(await this.#redis.hgetall(keyOf(market)));
    const old = all
      .filter(([, text]) => (JSON.parse(text) as Price).time < olderThanMs)
      .map(([name]) => name);
    return old.length === 0 ? 0 : this.#redis.hdel(keyOf(market), ...old);
  }
}
