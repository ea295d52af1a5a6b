import type { Redis } from 'ioredis';
import { AppError } from '../../compute/model/errors.js';
import { pairName, type PairChoice, type PairSymbols } from '../../compute/model/market-pair.js';
import type { Storage } from '../../storage/index.js';
import type { Log } from '../../storage/process/log.js';
import type { RoleContext } from '../../storage/process/role.js';
import { ThrottledLog } from '../../storage/process/throttled-log.js';
import type { MarketDataSource } from '../../storage/exchanges/market-data-source.js';
import { CandleSync } from './candle-sync.js';
import type { SyncLimits } from './sync-limits.js';
import { choosePairs } from './choose-pairs.js';
import { PairVisits } from './pair-visits.js';
import { pauseUnlessAborted } from './pause-unless-aborted.js';
import { pollPrices } from './poll-prices.js';

export interface ExchangeFollowerOptions {
  storage: Pick<Storage, 'candles' | 'feeds' | 'leases' | 'series'>;
  redis: Redis;
  source: MarketDataSource;
  choice: PairChoice;
  limits: SyncLimits;
  /** Time between two requests for prices. */
  tickMs: number;
  log: Log;
  report: RoleContext['report'];
  /** Ends the follower. It must be the signal of the source too, so that no request is waited for. */
  signal: AbortSignal;
  /** Time between two looks for due pairs. */
  pollMs?: number;
}

/** The pause before the pairs are chosen again after a failure. */
const chooseAgainMs = 30_000;
const namedInCheck = 5;

/** Keeps the candles and prices of an exchange up to date. Any number of processes may do so together. */
export class ExchangeFollower {
  readonly #options: ExchangeFollowerOptions;
  readonly #visits: PairVisits;
  readonly #log: ThrottledLog;
  #active: PairSymbols[] = [];
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: ExchangeFollowerOptions) {
    this.#options = options;
    this.#log = new ThrottledLog(options.log, options.signal);
    const sync = new CandleSync(options, options.limits);
    this.#visits = new PairVisits({ ...options, sync, log: this.#log });
  }

  /**
   * Chooses the pairs and starts; resolves before their history is stored. While the exchange does not answer, the pairs that are
   * already known are followed and the choice is repeated. Throws `invalid_settings` when the exchange lists none of the
   * chosen pairs.
   */
  async start(): Promise<void> {
    const { storage, source, choice } = this.#options;
    const chosen = await this.#choose();
    if (!chosen) this.#visits.follow('pairs' in choice ? choice.pairs : await storage.feeds.list(source.id));
    const prices = pollPrices({ ...this.#options, pairs: () => this.#active, log: this.#log });
    this.#running = Promise.all([prices, this.#visits.run(), ...(chosen ? [] : [this.#chooseLater()])]);
  }

  /** Resolves when all work has ended, after the signal is aborted. */
  async ended(): Promise<void> {
    await this.#running;
  }

  /** Makes lagging pairs due now, except those in a pause, and returns the state of all pairs as text. */
  async check(): Promise<string> {
    const { storage, source } = this.#options;
    const feeds = await storage.feeds.list(source.id);
    const lagging = feeds.filter(({ stale, askedFrom }) => stale !== null || askedFrom === null);
    const now = source.clock();
    this.#visits.hasten(new Set(lagging.filter(({ askAgainAt }) => askAgainAt <= now).map(pairName)));
    const openGaps = feeds.flatMap(({ gaps }) => gaps.filter(({ askAgainAt }) => askAgainAt !== null));
    const names = lagging
      .slice(0, namedInCheck)
      .map(
        (feed) => `${pairName(feed)} (${feed.fault ?? feed.stale?.reason ?? 'its history is being fetched'})`,
      );
    const more = lagging.length > names.length ? ', …' : '';
    const lag = lagging.length === 0 ? 'none lags' : `${lagging.length} lag: ${names.join(', ')}${more}`;
    return `${feeds.length} pairs, ${lag}; ${openGaps.length} open gaps`;
  }

  /** Returns whether the pairs could be chosen. */
  async #choose(): Promise<boolean> {
    const { storage, source, choice, report, signal } = this.#options;
    try {
      await storage.leases.hold(`pairs:${source.id}`, async ({ confirm }) => {
        const { pairs, active } = await choosePairs(source, choice, await storage.feeds.list(source.id));
        await confirm();
        await storage.feeds.follow(source.id, pairs);
        this.#visits.follow(pairs);
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
    for (let chosen = false; !chosen && (await pauseUnlessAborted(chooseAgainMs, this.#options.signal));) {
      chosen = await this.#choose().catch((error: unknown) => {
        this.#log.warn('pairs not chosen', error);
        return false;
      });
    }
  }
}
