import { parsePair } from '../../compute/model/market-pair.js';
import type { Price } from '../../compute/model/price.js';
import { utcTime } from '../../compute/model/utc-day.js';
import type { Prices } from '../../storage/candles/prices.js';
import { roundFigures } from '../answers/round-figures.js';
import { plainEvent } from './live-reader.js';

/** The last prices of the market, as events: all of them, and those that have changed. */
export class LivePrices {
  readonly #prices: Pick<Prices, 'texts'>;
  readonly #market: string;
  #known: Readonly<Record<string, string>> = {};

  constructor(prices: Pick<Prices, 'texts'>, market: string) {
    this.#prices = prices;
    this.#market = market;
  }

  get isKnown(): boolean {
    return Object.keys(this.#known).length > 0;
  }

  /** The event with all prices. */
  get whole(): string {
    return pricesEvent(this.#known);
  }

  /** Reads the prices, and answers the event with those that differ from what was read before; null if none does. */
  async changed(): Promise<string | null> {
    const before = this.#known;
    this.#known = await this.#prices.texts(this.#market);
    const changed = Object.entries(this.#known).filter(([pair, text]) => before[pair] !== text);
    return changed.length === 0 ? null : pricesEvent(Object.fromEntries(changed));
  }
}

function pricesEvent(texts: Readonly<Record<string, string>>): string {
  const prices = Object.entries(texts).map(([pair, text]) => {
    const { base, quote } = parsePair(pair)!;
    const { price, change24hPercent, time } = JSON.parse(text) as Price;
    return { asset: base, tradeMarket: quote, price, change24h: change24hPercent, time: utcTime(time) };
  });
  return plainEvent('prices', roundFigures({ prices }));
}
