import type { Redis } from 'ioredis';
import { Decimal } from '../../../compute/model/decimal.js';
import { pairName, type PairSymbols } from '../../../compute/model/market-pair.js';
import { Prices } from '../../candles/prices.js';

/** A price older than this does not decide about an order. */
const oldMs = 10_000;

/** Last prices of the demo market that are new enough to act on. */
export class RecentPrices {
  readonly #prices: Prices;

  constructor(redis: Redis) {
    this.#prices = new Prices(redis);
  }

  /** By name of the pair; pairs without a recent price are left out. Throws `redis_unavailable`. */
  async find(pairs: readonly PairSymbols[]): Promise<Map<string, Decimal>> {
    const named = [...new Map(pairs.map((pair) => [pairName(pair), pair]))];
    const prices = await this.#prices.findMany(
      'demo',
      named.map(([, pair]) => pair),
    );
    return new Map(
      named.flatMap(([name], n): [string, Decimal][] => {
        const found = prices[n];
        return found && found.time > Date.now() - oldMs ? [[name, Decimal.read(String(found.price))]] : [];
      }),
    );
  }
}
