import type { Redis } from 'ioredis';
import { AppError } from '../../compute/model/errors.js';
import { pairName, type PairChoice, type PairSymbols } from '../../compute/model/market-pair.js';
import type { Storage } from '../../storage/index.js';
import type { Log } from '../../storage/process/log.js';
import type { RoleContext } from '../../storage/process/role.js';
import { ThrottledLog } from '../../storage/process/throttled-log.js';
import type { MarketDataSource, ListedPair } from '../../storage/exchanges/market-data-source.js';
import { CandleSync } from './candle-sync.js';
import type { SyncLimits } from './sync-limits.js';
import { PairVisits } from './pair-visits.js';
import { pauseUnlessAborted } from './pause-unless-aborted.js';
import { Prices } from '../../storage/candles/prices.js';
import { pegged } from '../../storage/candles/pegged.js';

const quote = 'USDT';

/** The pairs to keep up to date, and those of them that the exchange trades now. */
interface ChosenPairs {
  pairs: PairSymbols[];
  active: PairSymbols[];
}

/**
 * The pairs of the setting MARKET_PAIRS on this exchange. Named pairs are kept even when the exchange no longer lists them:
 * they show as stale. A choice by turnover prefers the pairs in `followed`, so that a change of rank does not end a history.
 * Throws as the source does, and `invalid_settings` when no pair is left.
 */
export async function choosePairs(
  source: MarketDataSource,
  choice: PairChoice,
  followed: readonly PairSymbols[],
): Promise<ChosenPairs> {
  const listed = new Map((await source.pairs()).map((pair) => [pairName(pair), pair]));
  const isActive = (pair: PairSymbols) => listed.get(pairName(pair))?.active === true;
  if ('pairs' in choice) {
    const { pairs } = choice;
    const active = pairs.filter(isActive);
    if (active.length > 0) return { pairs, active };
    const names = pairs.map(pairName).join(', ');
    throw new AppError(
      'invalid_settings',
      `settings: MARKET_PAIRS is "${names}", found none of them on ${source.id}`,
    );
  }
  const pairs = await pairsByTurnover(source, [...listed.values()], choice.most, followed);
  if (pairs.length > 0) return { pairs, active: pairs };
  const message = `settings: ${source.id} trades nothing against ${quote}; name pairs in MARKET_PAIRS`;
  throw new AppError('invalid_settings', message);
}

async function pairsByTurnover(
  source: MarketDataSource,
  listed: ListedPair[],
  most: number,
  followed: readonly PairSymbols[],
): Promise<PairSymbols[]> {
  const turnover = await source.turnover(quote);
  const known = new Set(followed.map(pairName));
  const rank = (pair: PairSymbols) => turnover.get(pairName(pair)) ?? 0;
  const isKnown = (pair: PairSymbols) => Number(known.has(pairName(pair)));
  return listed
    .filter((pair) => pair.active && pair.quote === quote && !pegged.has(pair.base))
    .sort((left, right) => isKnown(right) - isKnown(left) || rank(right) - rank(left))
    .slice(0, most)
    .map(({ base }) => ({ base, quote }));
}

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

interface PollPricesOptions {
  source: MarketDataSource;
  redis: Redis;
  /** Time between two requests. */
  tickMs: number;
  /** The pairs whose prices are requested. */
  pairs: () => readonly PairSymbols[];
  log: ThrottledLog;
  signal: AbortSignal;
}

/**
 * Requests the prices of all pairs every `tickMs` and stores them, until the signal is aborted. A key in Redis lets only one
 * process do so in each interval. An error is logged; the next interval tries again.
 */
async function pollPrices({ source, redis, tickMs, pairs, log, signal }: PollPricesOptions): Promise<void> {
  const prices = new Prices(redis);
  const turn = [`tidemark:prices-turn:${source.id}`, '1', 'PX', Math.ceil(tickMs * 0.9), 'NX'] as const;
  do {
    try {
      if (pairs().length > 0 && (await redis.set(...turn)))
        await prices.put(source.id, await source.ticks(pairs()));
    } catch (error) {
      log.warn('prices not updated', error);
    }
  } while (await pauseUnlessAborted(tickMs, signal));
}
