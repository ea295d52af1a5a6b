import type { Redis } from 'ioredis';
import { intervalMs } from '../../compute/model/interval.js';
import { seriesId, type Market, type Series } from './series.js';
import type { Storage } from '../index.js';
import { quoteCurrency } from './pegged.js';
import type { Price } from '../../compute/model/price.js';
import { Prices } from './prices.js';

const hourMs = intervalMs('1h');
const dayHours = 24;

/** A price that is older is set against the last candle: the newer of the two counts. */
const oldMs = 2 * hourMs;
/** How long the list of a market's series serves. */
const listMs = 10_000;

/** The newest price of an asset that is known, in the quote currency: of the ticks, else the close of the last hour. */
export class LatestPrices {
  readonly #storage: Pick<Storage, 'candles' | 'series'>;
  readonly #prices: Prices;
  readonly #lists = new Map<Market, { series: Map<string, Series>; until: number }>();
  readonly #closes = new Map<string, { digest: string; price: Price }>();

  constructor(storage: Pick<Storage, 'candles' | 'series'>, redis: Redis) {
    this.#storage = storage;
    this.#prices = new Prices(redis);
  }

  /** The prices of several assets of one market, by asset; one without a price is not there. How old each is, it tells. */
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
    const kept = this.#closes.get(id);
    if (kept?.digest === series.digest) return kept.price;
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
    const kept = this.#lists.get(market);
    if (kept && kept.until > Date.now()) return kept.series;
    const listed = await this.#storage.series.traded(market, quoteCurrency, '1h');
    const series = new Map(listed.map((each) => [each.base, each]));
    this.#lists.set(market, { series, until: Date.now() + listMs });
    return series;
  }
}
