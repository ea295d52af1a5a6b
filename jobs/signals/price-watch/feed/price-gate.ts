import { Decimal, decimalPattern } from '../../../../compute/model/decimal.js';
import type { PairSymbols } from '../../../../compute/model/market-pair.js';
import type { MarketTick } from '../../../../compute/model/market-tick.js';
import { mostChange } from '../../../../storage/exchanges/live/traded-range.js';
import type { PairTrade, TradedRange } from '../../../../storage/exchanges/trading-venue.js';

/** How much older than a requested price a trade may be: it was on its way when the price was requested. */
const mostBehindMs = 2_000;
/** How far ahead of the time that is known of the exchange a price may be: the time is known to the second. */
const mostAheadMs = 2_000;
/**
 * A trade that is further from the last price than `mostChange` has to be confirmed by a later trade that is as far in the same
 * direction within this time (ms), or by a price that is requested after it. The first trade is confirmed by any later one near it.
 */
export const confirmMs = 1_000;

/**
 * Why a trade does not count: `unreadable`: it has no valid price or time; `old`; `early`: its time is in the future; `late`: a
 * later trade came before it; `twice`: it came before; `jump`: its price is far from the last one, and nothing has
 * confirmed it yet.
 */
export type TradeFault = 'unreadable' | 'old' | 'early' | 'late' | 'twice' | 'jump';

/** The time of a price; one that is far ahead counts as of now, so that it does not block later prices. */
const timeOf = ({ at }: { at: number }, nowMs: number): number => (at > nowMs + mostAheadMs ? nowMs : at);

/**
 * Decides which prices of one pair count. The times of counted prices never run backwards, and never far ahead of the clock of the
 * exchange, so that a price with a wrong time does not block later prices.
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
  /** The last trade that has to be confirmed: its time, and whether it is above the last price. */
  #doubted: { at: number; isAbove: boolean } | null = null;
  /** The first trade, while no price has counted. */
  #first: { at: number; value: number } | null = null;

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
    const at = timeOf(trade, nowMs);
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

  /** Takes a requested price; null if it does not count. */
  answer(tick: MarketTick, nowMs: number): MarketTick | null {
    const isPrice = tick.price.sign > 0 && Number.isSafeInteger(tick.at);
    const at = timeOf(tick, nowMs);
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
    // `#lastMs` stays as it is, so that a trade from the time of the look-up still counts.
    return { pair, price, high, low, volume: null, since: sinceMs, at: Math.max(this.#lastMs, nowMs) };
  }

  #setPrice(price: Decimal): void {
    this.#price = price;
    this.#value = Number(String(price));
    this.#doubted = null;
  }

  #faultOf({ id, price, at }: PairTrade, nowMs: number): TradeFault | null {
    if (!decimalPattern.test(price) || !(Number(price) > 0) || !Number.isSafeInteger(at)) return 'unreadable';
    if (nowMs - at > this.#mostAgeMs) return 'old';
    if (at - nowMs > this.#mostAgeMs) return 'early';
    const known = timeOf({ at }, nowMs);
    if (known < this.#tradeMs || known < this.#lastMs - mostBehindMs) return 'late';
    if (known === this.#tradeMs && this.#ids.has(id)) return 'twice';
    return this.#isJump(Number(price), known) ? 'jump' : null;
  }

  #isJump(value: number, at: number): boolean {
    const last = this.#value;
    const before = this.#doubted;
    if (last === null) return !this.#confirmsFirst(value, at);
    if (!isFar(value, last)) return false;
    const isAbove = value > last;
    if (before?.isAbove === isAbove && at > before.at && at - before.at <= confirmMs) return false;
    if (before?.isAbove !== isAbove || at - before.at > confirmMs) this.#doubted = { at, isAbove };
    return true;
  }

  /** Whether a trade is near an earlier one, where no price has counted yet. */
  #confirmsFirst(value: number, at: number): boolean {
    const before = this.#first;
    this.#first = { at, value };
    return before !== null && at > before.at && !isFar(value, before.value);
  }
}

const isFar = (value: number, last: number): boolean => Math.abs(value - last) > last * mostChange;
