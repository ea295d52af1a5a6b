import type { Redis } from 'ioredis';
import { pairName, type PairSymbols } from '../../../compute/model/market-pair.js';
import type { MarketTick } from '../../../compute/model/market-tick.js';
import { TickPublisher } from '../../../storage/candles/market-ticks.js';
import { Prices } from '../../../storage/candles/prices.js';
import type { PairTrade, TradeStream, VenueMarket } from '../../../storage/exchanges/trading-venue.js';
import type { Log } from '../../../storage/process/log.js';
import { RepeatedWork } from '../../../storage/process/repeated-work.js';
import { defaultOldTickMs, leastLagMs } from '../venue-scene.js';
import { defaultFeedTimes, FollowedPair, type FeedTimes } from './feed/followed-pair.js';
import { missedRanges } from './feed/missed-ranges.js';
import { TickOutbox } from './feed/tick-outbox.js';

/** How long a pair is followed after the last execution that waits for it: while an execution is advanced, it waits for none. */
const lingerMs = 60_000;

/** How much slower the times of a feed run (as a share) until they are those of an exchange again whose clock was set back. */
const slowing = 0.02;

/** How many publications are kept: those of at least a minute, because there are at most fifty a second. */
const keptPublications = 3_000;

export interface VenueFeedOptions {
  redis: Redis;
  market: VenueMarket;
  /** The pairs whose prices matter now. */
  pairs: () => readonly PairSymbols[];
  log: Pick<Log, 'warn'>;
  /** The time (ms) up to which another process has followed the market; null: none has. */
  followedUntilMs?: number | null;
  /** See `SignalEngineOptions`. */
  oldTickMs?: number;
  times?: FeedTimes;
}

/**
 * Publishes the prices of a market of a venue: streamed trades, and for pairs without streamed trades the prices that it
 * requests each second. The highest and lowest prices of missed trades are looked up and published later.
 */
export class VenueFeed {
  readonly #options: VenueFeedOptions;
  readonly #prices: Prices;
  readonly #publisher: TickPublisher;
  readonly #outbox: TickOutbox;
  readonly #stream: TradeStream | null;
  readonly #followingPairs: RepeatedWork;
  readonly #requesting: RepeatedWork;
  readonly #lookingUpMissed: RepeatedWork;
  readonly #times: FeedTimes;
  readonly #followed = new Map<string, FollowedPair>();
  /** When each pair was last in `pairs()`. */
  readonly #named = new Map<string, number>();
  #followedUntilMs: number | null;
  /** How far the exchange's clock is behind this machine's. */
  #lagMs = 0;
  /** How far the times of this feed are ahead of the exchange's, because they never run back. */
  #aheadMs = 0;
  #slowedAt = performance.now();
  #isFailing = false;
  #isStreamFailing = false;

  constructor(options: VenueFeedOptions) {
    this.#options = options;
    const { redis, market, followedUntilMs = null, times = defaultFeedTimes } = options;
    this.#times = times;
    this.#followedUntilMs = followedUntilMs;
    this.#prices = new Prices(redis);
    this.#publisher = new TickPublisher(redis, market.name, 0);
    this.#outbox = new TickOutbox({
      send: (ticks) => this.#publish(ticks),
      onError: (error) => this.#noteFailure(error),
    });
    this.#stream =
      market.stream?.({
        onTrades: (trades) => this.#take(trades),
        onEnd: (reason) => this.#noteStreamEnd(reason),
      }) ?? null;
    const onError = (error: unknown) => this.#noteFailure(error);
    this.#followingPairs = new RepeatedWork(async () => this.#followPairs(), times.everyMs, onError);
    this.#requesting = new RepeatedWork(() => this.#requestPrices(), times.everyMs, onError);
    this.#lookingUpMissed = new RepeatedWork(() => this.#lookUpMissed(), times.everyMs, onError);
  }

  async close(): Promise<void> {
    this.#stream?.close();
    await Promise.all([
      this.#followingPairs.close(),
      this.#requesting.close(),
      this.#lookingUpMissed.close(),
    ]);
    await this.#outbox.close();
  }

  /** The time of the exchange in ms, which orders its prices. Where its clock is set back, it runs on. */
  #now(): number {
    return Date.now() - this.#lagMs + this.#aheadMs;
  }

  #noteLag(): void {
    const now = performance.now();
    this.#aheadMs = Math.max(0, this.#aheadMs - slowing * (now - this.#slowedAt));
    this.#slowedAt = now;
    const lagMs = this.#options.market.lagMs?.() ?? 0;
    if (Math.abs(lagMs - this.#lagMs) >= leastLagMs) {
      this.#aheadMs = Math.max(0, this.#aheadMs + lagMs - this.#lagMs);
      this.#lagMs = lagMs;
    }
    // Another process may have followed the market in times that were ahead.
    const behindMs = (this.#followedUntilMs ?? -Infinity) - this.#now();
    if (behindMs >= leastLagMs) this.#aheadMs += behindMs;
  }

  /** Follows the pairs that matter now, and notes which of them are streamed. */
  #followPairs(): void {
    this.#noteLag();
    const now = this.#now();
    const pairs = this.#options.pairs();
    for (const pair of pairs) {
      this.#named.set(pairName(pair), now);
      if (!this.#followed.has(pairName(pair))) this.#add(pair, now);
    }
    for (const [name, atMs] of this.#named) if (now - atMs > lingerMs) this.#drop(name);
    if (pairs.length > 0) this.#followedUntilMs = null;
    this.#stream?.follow(pairs);
    const missing: PairSymbols[] = [];
    for (const each of this.#followed.values()) {
      const since = this.#stream?.streamedSince(each.pair) ?? null;
      each.noteStream(since && since - this.#lagMs + this.#aheadMs, now);
      if (each.isMissingTrades(now)) missing.push(each.pair);
    }
    if (missing.length > 0) this.#stream?.replace(missing);
    this.#outbox.flush();
  }

  #add(pair: PairSymbols, nowMs: number): void {
    const { oldTickMs: mostAgeMs = defaultOldTickMs } = this.#options;
    const until = this.#followedUntilMs;
    const known = { knownMs: Math.min(until ?? nowMs, nowMs), hasMissed: until !== null };
    this.#followed.set(pairName(pair), new FollowedPair({ pair, mostAgeMs, times: this.#times, ...known }));
  }

  #drop(name: string): void {
    this.#named.delete(name);
    this.#followed.delete(name);
    this.#outbox.forget(name);
  }

  #take(trades: readonly PairTrade[]): void {
    const now = this.#now();
    for (const { at, ...trade } of trades) {
      const tick = this.#followed.get(pairName(trade.pair))?.trade({ ...trade, at: at + this.#aheadMs }, now);
      if (typeof tick === 'object') this.#outbox.add(tick);
    }
    this.#isStreamFailing = false;
    this.#outbox.flush();
  }

  /** Requests the prices of pairs without recent trades. */
  async #requestPrices(): Promise<void> {
    const askedMs = this.#now();
    const due = this.#namedNow().filter((each) => each.isDue(askedMs));
    if (due.length > 0)
      this.#takeAnswers(await this.#options.market.ticks(due.map(({ pair }) => pair)), askedMs);
    this.#isFailing = false;
  }

  #namedNow(): FollowedPair[] {
    const followed = this.#options.pairs().map((pair) => this.#followed.get(pairName(pair)));
    return followed.filter((each) => each !== undefined);
  }

  #takeAnswers(answers: readonly MarketTick[], askedMs: number): void {
    const nowMs = this.#now();
    for (const answer of answers) {
      const at = answer.at + this.#aheadMs;
      const tick = this.#followed.get(pairName(answer.pair))?.answer({ ...answer, at }, { askedMs, nowMs });
      if (tick) this.#outbox.add(tick);
    }
    this.#outbox.flush();
  }

  /** Looks up missed trades. Later prices do not wait for them: executions that have not acted since then see the extremes. */
  async #lookUpMissed(): Promise<void> {
    const missed = this.#namedNow().filter(({ missedSinceMs }) => missedSinceMs !== null);
    const { market } = this.#options;
    const own: Pick<VenueMarket, 'range'> = market.range
      ? { range: (pair, sinceMs) => market.range!(pair, sinceMs - this.#aheadMs) }
      : {};
    for (const { each, range, askedMs } of await missedRanges(own, missed, () => this.#now())) {
      const tick = each.lookedUp(range, { askedMs, nowMs: this.#now() });
      if (tick) this.#outbox.add(tick);
    }
    this.#outbox.flush();
  }

  /** Logs the first of several failures in a row. */
  #noteFailure(error: unknown): void {
    const { market, log } = this.#options;
    if (!this.#isFailing)
      log.warn({ market: market.name, err: error }, 'prices of the exchange cannot be read');
    this.#isFailing = true;
  }

  #noteStreamEnd(reason: string): void {
    const { market, log } = this.#options;
    if (!this.#isStreamFailing)
      log.warn({ market: market.name, reason }, 'trades of the exchange are not streamed');
    this.#isStreamFailing = true;
  }

  async #publish(ticks: readonly MarketTick[]): Promise<void> {
    const prices = ticks.map(({ pair, price, at }) => {
      return { ...pair, price: Number(price.toString()), change24hPercent: null, time: at };
    });
    await Promise.all([
      this.#prices.put(this.#options.market.name, prices),
      this.#publisher.tell(ticks, keptPublications),
    ]);
  }
}
