import type { Redis } from 'ioredis';
import { pairName, type PairSymbols } from '../../compute/model/market-pair.js';
import type { Price, PriceTick } from '../../compute/model/price.js';
import { awaitRedis } from '../servers/redis.js';
import type { Market, Pair } from './series.js';

/** The key of the hash of a market. */
export const pricesKey = (market: Market) => `tidemark:prices:${market}`;

/** The fields and values of its pairs, in turn. */
export const priceFields = (ticks: readonly PriceTick[]): string[] =>
  ticks.flatMap(({ price, change24hPercent, time, ...pair }) => [
    pairName(pair),
    JSON.stringify({ price, change24hPercent, time }),
  ]);

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
    const text = await awaitRedis(this.#redis.hget(pricesKey(pair.market), pairName(pair)));
    return text === null ? null : (JSON.parse(text) as Price);
  }

  /** The last prices of several pairs of one market, in the order of `pairs`. */
  async findMany(market: Market, pairs: readonly PairSymbols[]): Promise<(Price | null)[]> {
    if (pairs.length === 0) return [];
    const texts = await awaitRedis(this.#redis.hmget(pricesKey(market), ...pairs.map(pairName)));
    return texts.map((text) => (text === null ? null : (JSON.parse(text) as Price)));
  }

  /** The last prices of a market as they are stored, by pair. */
  texts(market: Market): Promise<Record<string, string>> {
    return awaitRedis(this.#redis.hgetall(pricesKey(market)));
  }

  async put(market: Market, ticks: readonly PriceTick[]): Promise<void> {
    if (ticks.length === 0) return;
    await this.#redis.hset(pricesKey(market), ...priceFields(ticks));
  }

  /** Deletes prices of a market older than a time (pairs no longer followed) and returns how many. */
  async dropOlder(market: Market, olderThanMs: number): Promise<number> {
    const all = Object.entries(await this.texts(market));
    const old = all
      .filter(([, text]) => (JSON.parse(text) as Price).time < olderThanMs)
      .map(([name]) => name);
    return old.length === 0 ? 0 : this.#redis.hdel(pricesKey(market), ...old);
  }
}
