import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { intervalMs } from '../../compute/model/interval.js';
import { seriesId, type Market, type Series } from './series.js';
import type { Storage } from '../index.js';
import { quoteCurrency } from './pegged.js';
import type { Price } from '../../compute/model/price.js';
import { Prices } from './prices.js';
import { boundedCache } from '../process/bounded-cache.js';

const hourMs = intervalMs('1h');
const dayHours = 24;

/** A tick older than this is compared with the last candle, and the newer of the two counts. */
const oldMs = 2 * hourMs;
/** How long the list of a market's series is cached. */
const listMs = 10_000;
const mostMarkets = 100;
const mostCloses = 20_000;

/** The newest known price of an asset in the quote currency: its last tick, or the close of its last 1h candle. */
export class LatestPrices {
  readonly #storage: Pick<Storage, 'candles' | 'series'>;
  readonly #prices: Prices;
  readonly #lists = new LRUCache<Market, Map<string, Series>>({ max: mostMarkets, ttl: listMs });
  /** The last close of each series, by series id; the digest says which candles it was read from. */
  readonly #closes = boundedCache<{ digest: string; price: Price }>(mostCloses);

  constructor(storage: Pick<Storage, 'candles' | 'series'>, redis: Redis) {
    this.#storage = storage;
    this.#prices = new Prices(redis);
  }

  /** The prices of several assets of one market, by asset. Assets without a price are left out. `time` says how old one is. */
  async find(market: Market, assets: readonly string[]): Promise<Map<string, Price>> {
    const pairs = assets.map((base) => ({ base, quote: quoteCurrency }));
    const ticks = await this.#prices.findMany(market, pairs);
    const found = await Promise.all(
      assets.map(async (asset, n): Promise<[string, Price | null]> => {
        const tick = ticks[n];
        if (tick && tick.time > Date.now() - oldMs) return [asset, tick];
        const close = await this.#lastClose(market, asset);
        return [asset, tick && (!close || close.time < tick.time) ? tick : close];
      }),
    );
    return new Map(found.filter((entry): entry is [string, Price] => entry[1] !== null));
  }

  async #lastClose(market: Market, asset: string): Promise<Price | null> {
    const series = (await this.#seriesOf(market)).get(asset);
    if (!series) return null;
    const id = seriesId(series);
    const cached = this.#closes.get(id);
    if (cached?.digest === series.digest) return cached.price;
    const { time, close } = await this.#storage.candles.last(series, dayHours + 1);
    const last = time.length - 1;
    if (last < 0) return null;
    const before = time.indexOf(time[last] - dayHours * hourMs);
    const price = {
      price: close[last],
      change24hPercent: before < 0 ? null : (close[last] / close[before] - 1) * 100,
      time: time[last] + hourMs,
    };
    this.#closes.set(id, { digest: series.digest, price });
    return price;
  }

  async #seriesOf(market: Market): Promise<Map<string, Series>> {
    const cached = this.#lists.get(market);
    if (cached) return cached;
    const listed = await this.#storage.series.traded(market, quoteCurrency, '1h');
    const series = new Map(listed.map((each) => [each.base, each]));
    this.#lists.set(market, series);
    return series;
  }
}
