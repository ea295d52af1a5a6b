import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { AppError } from '../../compute/model/errors.js';
import type { Storage } from '../../storage/index.js';
import type { Log } from '../../storage/process/log.js';
import { Prices } from '../../storage/candles/prices.js';
import { ThrottledLog } from '../../storage/process/throttled-log.js';
import type { CandleSource } from '../../storage/exchanges/candle-source.js';
import { choosePairs } from './choose-pairs.js';
import { pairName, type PairChoice, type PairSymbols } from '../../compute/model/market-pair.js';
import { CandleSync, type SyncLimits } from './sync-candles.js';

export interface FollowOptions {
  storage: Pick<Storage, 'candles' | 'feeds' | 'leases' | 'series'>;
  redis: Redis;
  source: CandleSource;
  choice: PairChoice;
  limits: SyncLimits;
  /** Time between two askings for prices. */
  tickMs: number;
  log: Log;
  report: (line: string) => void;
  /** Ends it: the source's own, so that nothing is waited for. */
  signal: AbortSignal;
  /** How often it looks for what is due. */
  pollMs?: number;
}

interface Followed extends PairSymbols {
  /** When to visit it, by the clock of the source; Infinity while it is visited. */
  dueAt: number;
  caughtUp: boolean;
}

const lanes = 4;
const usualPollMs = 250;
/** Pauses after a pair that another process visits, after a fault of the databases, and before pairs are chosen anew. */
const heldMs = 1_000;
const faultMs = 5_000;
const chooseAgainMs = 30_000;

/** Keeps the pairs of an exchange up to date, together with as many other processes as do the same. */
export class ExchangeFollower {
  readonly #options: FollowOptions;
  readonly #sync: CandleSync;
  readonly #prices: Prices;
  readonly #log: ThrottledLog;
  #followed: Followed[] = [];
  #active: PairSymbols[] = [];
  #shown = 0;
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: FollowOptions) {
    this.#options = options;
    this.#sync = new CandleSync(options, options.limits);
    this.#prices = new Prices(options.redis);
    this.#log = new ThrottledLog(options.log, options.signal);
  }

  /**
   * Chooses the pairs and begins; resolves before their history is there. An exchange that is away stops nothing: the
   * pairs that are known go on as soon as it is back. Throws `invalid_settings` when the choice fits nothing it lists.
   */
  async start(): Promise<void> {
    const { storage, source, choice } = this.#options;
    const chosen = await this.#choose();
    if (!chosen) this.#follow('pairs' in choice ? choice.pairs : await storage.feeds.list(source.id));
    const work = [this.#followPrices(), ...Array.from({ length: lanes }, () => this.#lane())];
    this.#running = Promise.all([...work, ...(chosen ? [] : [this.#chooseLater()])]);
  }

  /** Resolves when nothing runs any more, after the signal. */
  async ended(): Promise<void> {
    await this.#running;
  }

  /** Has pairs that lag visited at once, unless the exchange is to be left alone for a while, and says how all stand. */
  async check(): Promise<string> {
    const { storage, source } = this.#options;
    const feeds = await storage.feeds.list(source.id);
    const lagging = feeds.filter(({ stale, askedFrom }) => stale !== null || askedFrom === null);
    const due = new Set(lagging.filter(({ askAgainAt }) => askAgainAt <= source.clock()).map(pairName));
    // One that is being visited has no time to be due.
    for (const pair of this.#followed)
      if (due.has(pairName(pair)) && pair.dueAt !== Infinity)
        pair.dueAt = Math.min(pair.dueAt, source.clock());
    const open = feeds.flatMap(({ gaps }) => gaps.filter(({ askAgainAt }) => askAgainAt !== null));
    const names = lagging
      .slice(0, 5)
      .map((feed) => `${pairName(feed)} (${feed.fault ?? feed.stale?.reason})`);
    const more = lagging.length > names.length ? ', …' : '';
    const lag = lagging.length === 0 ? 'none lags' : `${lagging.length} lag: ${names.join(', ')}${more}`;
    return `${feeds.length} pairs, ${lag}; ${open.length} gaps to be asked for`;
  }

  /** Whether the pairs could be chosen. */
  async #choose(): Promise<boolean> {
    const { storage, source, choice, report, signal } = this.#options;
    try {
      await storage.leases.hold(`pairs:${source.id}`, async () => {
        const { pairs, active } = await choosePairs(source, choice, await storage.feeds.list(source.id));
        await storage.feeds.follow(source.id, pairs);
        this.#follow(pairs);
        this.#active = active;
        const names = pairs.filter((pair) => !active.includes(pair)).map(pairName);
        if (names.length > 0) report(`market ${source.id}: ${names.join(', ')} not traded there`);
      });
      return true;
    } catch (error) {
      const isFinal = !(error instanceof AppError) || error.code === 'invalid_settings';
      if (isFinal && !signal.aborted) throw error;
      this.#log.warn('pairs not chosen', error);
      return false;
    }
  }

  async #chooseLater(): Promise<void> {
    for (let chosen = false; !chosen && (await this.#rest(chooseAgainMs));) {
      chosen = await this.#choose().catch((error: unknown) => {
        this.#log.warn('pairs not chosen', error);
        return false;
      });
    }
  }

  #follow(pairs: readonly PairSymbols[]): void {
    const known = new Map(this.#followed.map((pair) => [pairName(pair), pair]));
    this.#followed = pairs.map(
      ({ base, quote }) => known.get(pairName({ base, quote })) ?? { base, quote, dueAt: 0, caughtUp: false },
    );
  }

  /** Visits one pair after the other, the longest due first. */
  async #lane(): Promise<void> {
    const { source, signal, pollMs = usualPollMs } = this.#options;
    while (!signal.aborted) {
      const due = this.#followed.filter(({ dueAt }) => dueAt <= source.clock());
      if (due.length === 0) {
        await this.#rest(pollMs);
        continue;
      }
      await this.#visit(due.reduce((first, pair) => (pair.dueAt < first.dueAt ? pair : first)));
    }
  }

  async #visit(pair: Followed): Promise<void> {
    const { storage, source } = this.#options;
    const { base, quote } = pair;
    pair.dueAt = Infinity;
    try {
      const held = await storage.leases.attempt(`feed:${source.id}:${pairName(pair)}`, () =>
        this.#sync.visit({ market: source.id, base, quote }),
      );
      // What is due at once goes behind what has been due for longer.
      pair.dueAt = held ? Math.max(held.result.againAt, source.clock()) : source.clock() + heldMs;
      if (held?.result.caughtUp && !pair.caughtUp) this.#showProgress(pair);
    } catch (error) {
      pair.dueAt = source.clock() + faultMs;
      this.#log.warn('pair not brought up to date', error);
    }
  }

  #showProgress(pair: Followed): void {
    const { source, report, signal } = this.#options;
    pair.caughtUp = true;
    const total = this.#followed.length;
    const done = this.#followed.filter(({ caughtUp }) => caughtUp).length;
    const percent = Math.floor((done / total) * 100);
    if (percent < this.#shown || signal.aborted) return;
    report(`market ${source.id}: history of ${done} of ${total} pairs ready`);
    this.#shown = percent === 100 ? 101 : Math.min(100, percent + 25);
  }

  /** Asks for all prices at once, one process at a time. */
  async #followPrices(): Promise<void> {
    const { source, redis, tickMs } = this.#options;
    do {
      try {
        if (this.#active.length === 0) continue;
        const mine = await redis.set(
          `tidemark:prices-turn:${source.id}`,
          '1',
          'PX',
          Math.ceil(tickMs * 0.9),
          'NX',
        );
        if (mine) await this.#prices.put(source.id, await source.ticks(this.#active));
      } catch (error) {
        this.#log.warn('prices not updated', error);
      }
    } while (await this.#rest(tickMs));
  }

  /** Waits; false if the end came. */
  async #rest(ms: number): Promise<boolean> {
    const { signal } = this.#options;
    await pause(ms, undefined, { signal }).catch(() => undefined);
    return !signal.aborted;
  }
}
