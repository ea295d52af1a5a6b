import type { PairSymbols } from '../../../../compute/model/market-pair.js';
import type { MarketTick } from '../../../../compute/model/market-tick.js';
import type { PairTrade, TradedRange } from '../../../../storage/exchanges/trading-venue.js';
import { confirmMs, PriceGate, type TradeFault } from './price-gate.js';

/** Times of a feed of prices, in ms. */
export interface FeedTimes {
  /** How often the feed updates its pairs, and requests prices that are not streamed. */
  everyMs: number;
  /** The price of a pair is requested if its last trade is older than this. */
  quietMs: number;
  /** Trades are looked up after a time without any price that is longer than this. */
  gapMs: number;
  /** How long the stream may lack a trade that a requested price shows. */
  missedMs: number;
}

export const defaultFeedTimes: FeedTimes = { everyMs: 1_000, quietMs: 3_000, gapMs: 5_000, missedMs: 5_000 };

export interface FollowedPairOptions {
  pair: PairSymbols;
  /** See `PriceGate`. */
  mostAgeMs: number;
  /** Up to when (ms) its prices are known. */
  knownMs: number;
  /** Whether prices since then were missed. */
  hasMissed: boolean;
  times: FeedTimes;
}

/** The state of one pair in a feed: which prices count, since when prices were missed, and whether the stream lacks trades. */
export class FollowedPair {
  readonly pair: PairSymbols;
  readonly #gate: PriceGate;
  readonly #times: FeedTimes;
  /** The time up to which every price is known, and the time up to which some price is known. */
  #wholeMs: number;
  #knownMs: number;
  #missedSinceMs: number | null;
  /** When it was noted last that prices were missed. */
  #notedMs = -Infinity;
  /** When a trade came last. */
  #heardMs = -Infinity;
  #streamedSinceMs: number | null = null;
  /** Since when a trade has to be confirmed; null: none has. */
  #unsureSinceMs: number | null = null;
  /** The last price that requested prices are compared with, and since when they differ from it. */
  #compared: number | null = null;
  #otherSinceMs: number | null = null;
  /** The price of the last trade that had to be confirmed: the stream has told of it, too. */
  #doubted: number | null = null;

  constructor({ pair, mostAgeMs, knownMs, hasMissed, times }: FollowedPairOptions) {
    this.pair = pair;
    this.#gate = new PriceGate(mostAgeMs);
    this.#times = times;
    this.#wholeMs = this.#knownMs = knownMs;
    this.#missedSinceMs = hasMissed ? knownMs : null;
  }

  /**
   * Since when (ms) prices were missed; null: none were, or they cannot be looked up now, because no price is known yet or the last one
   * may be wrong: what is looked up is told with the last price.
   */
  get missedSinceMs(): number | null {
    return this.#gate.value === null || this.#unsureSinceMs !== null ? null : this.#missedSinceMs;
  }

  /** Notes since when (ms) its trades are streamed; null: they are not. Earlier trades were missed. */
  noteStream(streamedSinceMs: number | null, nowMs: number): void {
    const isNew = streamedSinceMs !== null && streamedSinceMs !== this.#streamedSinceMs;
    this.#streamedSinceMs = streamedSinceMs;
    if (streamedSinceMs === null) this.#otherSinceMs = null;
    const lastMs = streamedSinceMs === null ? this.#knownMs : this.#wholeMs;
    if (isNew || nowMs - lastMs > this.#times.gapMs) {
      this.#missedSinceMs ??= this.#wholeMs;
      this.#notedMs = nowMs;
    }
    if (streamedSinceMs !== null) this.#wholeMs = this.#knownMs = nowMs;
  }

  /** Whether its price has to be requested. */
  isDue(nowMs: number): boolean {
    if (this.#unsureSinceMs !== null && nowMs - this.#unsureSinceMs >= confirmMs) return true;
    return this.#streamedSinceMs === null || nowMs - this.#heardMs > this.#times.quietMs;
  }

  /** Takes a streamed trade: the tick to publish, or why the trade does not count. */
  trade(trade: PairTrade, nowMs: number): MarketTick | TradeFault {
    const tick = this.#gate.trade(trade, nowMs);
    if (tick === 'jump') {
      this.#unsureSinceMs ??= nowMs;
      this.#doubted = Number(trade.price);
    }
    if (typeof tick === 'string') return tick;
    this.#unsureSinceMs = null;
    this.#heardMs = nowMs;
    this.#compared = this.#gate.value;
    this.#otherSinceMs = null;
    return tick;
  }

  /** Takes a requested price; null if it does not count. `askedMs`: when it was requested. */
  answer(tick: MarketTick, { askedMs, nowMs }: { askedMs: number; nowMs: number }): MarketTick | null {
    this.#unsureSinceMs = null;
    this.#compare(Number(String(tick.price)), askedMs, nowMs);
    this.#knownMs = Math.max(this.#knownMs, askedMs);
    return this.#gate.answer(tick, nowMs);
  }

  /**
   * Takes the highest and lowest price of the missed trades, and returns them with the last price. `askedMs`: when they were
   * requested; later trades may be missing.
   */
  lookedUp(
    missed: TradedRange | null,
    { askedMs, nowMs }: { askedMs: number; nowMs: number },
  ): MarketTick | null {
    const sinceMs = this.missedSinceMs;
    if (sinceMs === null) return null;
    this.#missedSinceMs = this.#notedMs > askedMs ? askedMs : null;
    if (this.#streamedSinceMs === null) this.#wholeMs = askedMs;
    return missed && this.#gate.spanning(this.pair, missed, { sinceMs, nowMs });
  }

  /** Whether requested prices show trades that were not streamed. */
  isMissingTrades(nowMs: number): boolean {
    return this.#otherSinceMs !== null && nowMs - this.#otherSinceMs >= this.#times.missedMs;
  }

  #compare(value: number, askedMs: number, nowMs: number): void {
    const isTold = this.#streamedSinceMs !== null && this.#streamedSinceMs < askedMs;
    if (!isTold || this.#compared === null || value === this.#doubted) this.#compared = value;
    else if (value !== this.#compared) this.#otherSinceMs ??= nowMs;
  }
}
