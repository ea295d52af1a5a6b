import type { Redis } from 'ioredis';
import { pairName, type PairSymbols } from '../../compute/model/market-pair.js';
import type { Price, PriceTick } from '../../compute/model/price.js';
import { answered } from '../servers/redis.js';
import type { Market, Pair } from './series.js';

const keyOf = (market: Market) => `tidemark:prices:${market}`;

/**
 * Last prices, seconds old, one hash per market: made for light reads, and to be lost with Redis. Reads throw
 * `redis_unavailable`.
 */
export class Prices {
  readonly #redis: Redis;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** The last price; null if none was ever put. How old it is, its `time` tells. */
  async find(pair: Pair): Promise<Price | null> {
    const text = await answered(this.#redis.hget(keyOf(pair.market), pairName(pair)));
    return text === null ? null : (JSON.parse(text) as Price);
  }

  /** The last prices of several pairs of one market, in their order. */
  async findMany(market: Market, pairs: readonly PairSymbols[]): Promise<(Price | null)[]> {
    if (pairs.length === 0) return [];
    const texts = await answered(this.#redis.hmget(keyOf(market), ...pairs.map(pairName)));
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

  /** Throws away the prices of a market from before `olderThanMs`, and tells how many: those of pairs no longer followed. */
  async dropOlder(market: Market, olderThanMs: number): Promise<number> {
    const all = Object.entries(await this.#redis.hgetall(keyOf(market)));
    const old = all
      .filter(([, text]) => (JSON.parse(text) as Price).time < olderThanMs)
      .map(([name]) => name);
    return old.length === 0 ? 0 : this.#redis.hdel(keyOf(market), ...old);
  }
}
