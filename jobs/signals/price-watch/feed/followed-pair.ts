import type { PairSymbols } from '../../../../compute/model/market-pair.js';
import type { MarketTick } from '../../../../compute/model/market-tick.js';
import type { ToldTrade, TradedRange } from '../../../../storage/exchanges/trading-venue.js';
import type { FeedTimes } from './feed-times.js';
import { PriceGate, type TradeFault } from './price-gate.js';

export interface FollowedPairOptions {
  pair: PairSymbols;
  /** See `PriceGate`. */
  mostAgeMs: number;
  /** Up to when (ms) its prices are known. */
  knownMs: number;
  /** Whether another process has followed it until then. */
  isTakenOver: boolean;
  times: FeedTimes;
}

/** What a feed knows of one pair: which of its prices count, up to when they are known, and whether trades are missing. */
export class FollowedPair {
  readonly pair: PairSymbols;
  readonly #gate: PriceGate;
  readonly #times: FeedTimes;
  #knownMs: number;
  /** When a trade was told last. */
  #heardMs = -Infinity;
  #toldSinceMs: number | null = null;
  /** Whether prices between `#knownMs` and now have to be looked up before others count. */
  #hasGap: boolean;
  /** A trade has to be confirmed by an answer. */
  #isUnsure = false;
  /** The last price by which trades are compared with answers, and since when an answer tells another one. */
  #compared: number | null = null;
  #otherSinceMs: number | null = null;

  constructor({ pair, mostAgeMs, knownMs, isTakenOver, times }: FollowedPairOptions) {
    this.pair = pair;
    this.#gate = new PriceGate(mostAgeMs);
    this.#times = times;
    this.#knownMs = knownMs;
    this.#hasGap = isTakenOver;
  }

  get hasGap(): boolean {
    return this.#hasGap;
  }

  get knownMs(): number {
    return this.#knownMs;
  }

  /** Notes since when (ms) its trades are told; null: they are not. */
  noteStream(toldSinceMs: number | null, nowMs: number): void {
    this.#toldSinceMs = toldSinceMs;
    if (toldSinceMs === null) this.#otherSinceMs = null;
    if (nowMs - this.#knownMs > this.#times.gapMs) this.#hasGap = true;
    if (!this.#hasGap && toldSinceMs !== null) this.#knownMs = nowMs;
  }

  /** Whether its price is to be asked for. */
  isDue(nowMs: number): boolean {
    return (
      this.#hasGap ||
      this.#isUnsure ||
      this.#toldSinceMs === null ||
      nowMs - this.#heardMs > this.#times.quietMs
    );
  }

  trade(trade: ToldTrade, nowMs: number): MarketTick | TradeFault {
    const tick = this.#gate.trade(trade, nowMs);
    if (tick === 'jump') this.#isUnsure = true;
    if (typeof tick === 'string') return tick;
    this.#heardMs = nowMs;
    this.#compared = this.#gate.value;
    this.#otherSinceMs = null;
    return tick;
  }

  /** `askedMs`: when the price was asked for. */
  answer(tick: MarketTick, { askedMs, nowMs }: { askedMs: number; nowMs: number }): MarketTick | null {
    this.#isUnsure = false;
    this.#compare(Number(String(tick.price)), askedMs, nowMs);
    if (!this.#hasGap) this.#knownMs = Math.max(this.#knownMs, askedMs);
    return this.#gate.answer(tick, nowMs);
  }

  /** Goes on from now. `missed`: the extremes of what was missed; null: there was nothing, or it is not known. */
  closeGap(missed: TradedRange | null, nowMs: number): MarketTick | null {
    const sinceMs = this.#knownMs;
    this.#hasGap = false;
    this.#knownMs = nowMs;
    return missed && this.#gate.spanning(this.pair, missed, { sinceMs, nowMs });
  }

  /** Whether answers show trades that were not told. */
  isMissingTrades(nowMs: number): boolean {
    return this.#otherSinceMs !== null && nowMs - this.#otherSinceMs >= this.#times.missedMs;
  }

  #compare(value: number, askedMs: number, nowMs: number): void {
    const isTold = this.#toldSinceMs !== null && this.#toldSinceMs < askedMs;
    if (!isTold || this.#compared === null) this.#compared = value;
    else if (value !== this.#compared) this.#otherSinceMs ??= nowMs;
  }
}
