import type { Redis } from 'ioredis';
import type { Decimal } from '../../compute/model/decimal.js';
import { decimalOf } from '../../storage/accounts/position-updater.js';
import { quoteCurrency } from '../../storage/candles/pegged.js';
import { LatestPrices } from '../../storage/candles/latest-prices.js';
import { Prices } from '../../storage/candles/prices.js';
import type { OpenExchanges } from '../../storage/exchanges/open-exchanges.js';
import type { Storage } from '../../storage/index.js';

/** Prices of assets on the exchanges that users connect. */
export class AssetPrices {
  readonly #exchanges: OpenExchanges;
  readonly #book: LatestPrices;
  readonly #prices: Prices;

  constructor(exchanges: OpenExchanges, storage: Storage, redis: Redis) {
    this.#exchanges = exchanges;
    this.#book = new LatestPrices(storage, redis);
    this.#prices = new Prices(redis);
  }

  /** The known prices of assets in the quote currency; unknown ones are requested from the exchange first. */
  async find(exchange: string, assets: readonly string[]): Promise<Map<string, Decimal>> {
    const market = this.#exchanges.known.marketOf(exchange);
    let found = await this.#book.find(market, assets);
    const missing = assets.filter((asset) => !found.has(asset));
    if (missing.length > 0 && (await this.update(exchange, missing)))
      found = await this.#book.find(market, assets);
    return new Map([...found].map(([asset, { price }]) => [asset, decimalOf(price)]));
  }

  /** Requests and stores the prices of assets. Returns false when the exchange trades none of them. */
  async update(exchange: string, assets: readonly string[]): Promise<boolean> {
    const source = await this.#exchanges.source(exchange);
    const traded = await source.traded(assets.map((base) => ({ base, quote: quoteCurrency })));
    if (traded.length === 0) return false;
    await this.#prices.put(this.#exchanges.known.marketOf(exchange), await source.ticks(traded));
    return true;
  }
}
