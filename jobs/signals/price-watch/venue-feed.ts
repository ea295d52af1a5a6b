import type { Redis } from 'ioredis';
import { pairName, type PairSymbols } from '../../../compute/model/market-pair.js';
import type { MarketTick } from '../../../compute/model/market-tick.js';
import { TickPublisher } from '../../../storage/candles/market-ticks.js';
import { Prices } from '../../../storage/candles/prices.js';
import type { VenueMarket } from '../../../storage/exchanges/trading-venue.js';
import type { Log } from '../../../storage/process/log.js';
import { RepeatedWork } from '../../../storage/process/repeated-work.js';

const everyMs = 1_000;

export interface VenueFeedOptions {
  redis: Redis;
  market: VenueMarket;
  /** The pairs whose prices matter now. */
  pairs: () => readonly PairSymbols[];
  log: Pick<Log, 'warn'>;
}

/** Asks a market of a venue for the prices of pairs each second, and publishes those that are new. */
export class VenueFeed {
  readonly #options: VenueFeedOptions;
  readonly #publisher: TickPublisher;
  readonly #asking: RepeatedWork;
  /** The time of the last tick by pair. */
  readonly #seen = new Map<string, number>();
  #isFailing = false;

  constructor(options: VenueFeedOptions) {
    this.#options = options;
    this.#publisher = new TickPublisher(options.redis, options.market.name, 0);
    this.#asking = new RepeatedWork(
      () => this.#ask(),
      everyMs,
      (error) => this.#noteFailure(error),
    );
  }

  close(): Promise<void> {
    return this.#asking.close();
  }

  async #ask(): Promise<void> {
    const { market, pairs } = this.#options;
    const asked = pairs();
    if (asked.length > 0) await this.#publish(await market.ticks(asked));
    this.#isFailing = false;
  }

  /** Says the first time that the market does not answer. */
  #noteFailure(error: unknown): void {
    const { market, log } = this.#options;
    if (!this.#isFailing) log.warn({ market: market.name, err: error }, 'prices of the exchange are away');
    this.#isFailing = true;
  }

  async #publish(all: readonly MarketTick[]): Promise<void> {
    const { redis, market } = this.#options;
    const ticks = all
      .map((tick) => ({ ...tick, since: this.#seen.get(pairName(tick.pair)) ?? tick.at }))
      .filter(({ since, at, pair }) => at > since || !this.#seen.has(pairName(pair)));
    if (ticks.length === 0) return;
    for (const { pair, at } of ticks) this.#seen.set(pairName(pair), at);
    const prices = ticks.map(({ pair, price, at }) => {
      return { ...pair, price: Number(price.toString()), change24hPercent: null, time: at };
    });
    await new Prices(redis).put(market.name, prices);
    await this.#publisher.publish(Date.now(), () => ticks);
  }
}
