import { Decimal, decimalPattern } from '../../../../compute/model/decimal.js';
import type { PairSymbols } from '../../../../compute/model/market-pair.js';
import type { MarketTick } from '../../../../compute/model/market-tick.js';
import type { PairTrade, TradedRange } from '../../../../storage/exchanges/trading-venue.js';

/** How far behind a price that was asked for a trade may be: it was on its way then. */
const mostBehindMs = 2_000;
/** A trade whose price is this many times the last one, or less than this part of it, has to be confirmed by an answer. */
const mostTimes = 2;

/**
 * Why a trade does not count: it is no price, it is too old, its time is in the future, a later one came before, it came
 * before, or its price is out of all proportion.
 */
export type TradeFault = 'unreadable' | 'old' | 'early' | 'late' | 'twice' | 'jump';

/**
 * Decides which prices of one pair count. Times of prices that count never run backwards, and never ahead of this machine's clock: a
 * wrong time keeps no later price out.
 */
export class PriceGate {
  readonly #mostAgeMs: number;
  /** The time of the last price that counted, and of the last trade. */
  #lastMs = -Infinity;
  #tradeMs = -Infinity;
  /** The ids of trades of that time. */
  #ids = new Set<string>();
  #value: number | null = null;
  #price: Decimal | null = null;

  /** `mostAgeMs`: nothing acts on a price that is older. */
  constructor(mostAgeMs: number) {
    this.#mostAgeMs = mostAgeMs;
  }

  /** The last price that counted; null before the first one. */
  get value(): number | null {
    return this.#value;
  }

  /** Takes a trade from the stream of the exchange. */
  trade(trade: PairTrade, nowMs: number): MarketTick | TradeFault {
    const fault = this.#faultOf(trade, nowMs);
    if (fault) return fault;
    const at = Math.min(trade.at, nowMs);
    if (at > this.#tradeMs) this.#ids = new Set();
    this.#ids.add(trade.id);
    this.#tradeMs = at;
    this.#lastMs = Math.max(at, this.#lastMs);
    const price = Decimal.parse(trade.price);
    this.#setPrice(price);
    return {
      pair: trade.pair,
      price,
      high: price,
      low: price,
      volume: null,
      since: this.#lastMs,
      at: this.#lastMs,
    };
  }

  /** Takes a price that was asked for; null if it does not count. */
  answer(tick: MarketTick, nowMs: number): MarketTick | null {
    const isPrice = tick.price.sign > 0 && Number.isSafeInteger(tick.at);
    const at = Math.min(tick.at, nowMs);
    if (!isPrice || tick.at - nowMs > this.#mostAgeMs || at <= this.#lastMs) return null;
    this.#lastMs = at;
    this.#setPrice(tick.price);
    return { ...tick, since: at, at };
  }

  /** The last price, as of now, with the extremes since a time; null while no price is known. */
  spanning(
    pair: PairSymbols,
    range: TradedRange,
    { sinceMs, nowMs }: { sinceMs: number; nowMs: number },
  ): MarketTick | null {
    const price = this.#price;
    if (!price) return null;
    const [high, low] = [range.high.compare(price) > 0 ? range.high : price, Decimal.min(range.low, price)];
    // It is no price of now: one that was traded while this was looked up still counts.
    return { pair, price, high, low, volume: null, since: sinceMs, at: Math.max(this.#lastMs, nowMs) };
  }

  #setPrice(price: Decimal): void {
    this.#price = price;
    this.#value = Number(String(price));
  }

  #faultOf({ id, price, at }: PairTrade, nowMs: number): TradeFault | null {
    if (!decimalPattern.test(price) || !(Number(price) > 0) || !Number.isSafeInteger(at)) return 'unreadable';
    if (nowMs - at > this.#mostAgeMs) return 'old';
    if (at - nowMs > this.#mostAgeMs) return 'early';
    const known = Math.min(at, nowMs);
    if (known < this.#tradeMs || known < this.#lastMs - mostBehindMs) return 'late';
    if (known === this.#tradeMs && this.#ids.has(id)) return 'twice';
    return this.#isJump(Number(price)) ? 'jump' : null;
  }

  #isJump(value: number): boolean {
    return this.#value !== null && (value > this.#value * mostTimes || value * mostTimes < this.#value);
  }
}
