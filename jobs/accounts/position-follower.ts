import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Storage } from '../../storage/index.js';
import type { Log } from '../../storage/process/log.js';
import { isCash, quoteCurrency } from '../../storage/candles/pegged.js';
import { Prices } from '../../storage/candles/prices.js';
import { ThrottledLog } from '../../storage/process/throttled-log.js';
import { WatchedUsers } from '../../storage/accounts/watched-users.js';
import type { OpenExchanges } from '../../storage/exchanges/open-exchanges.js';
import type { UserExchanges } from '../../storage/accounts/user-exchanges.js';

export interface FollowPositionsOptions {
  storage: Storage;
  redis: Redis;
  users: UserExchanges;
  exchanges: OpenExchanges;
  /** The market that another part keeps the prices of. */
  market: string;
  /** Time between two askings for the prices of an exchange that is connected and is not the market. */
  tickMs: number;
  log: Log;
  signal: AbortSignal;
  /** How often the positions of those who are looking are brought up to date, and those of all. */
  watchedMs?: number;
  everyoneMs?: number;
}

const usualWatchedMs = 5_000;
const usualEveryoneMs = 300_000;
const batch = 200;

/** Brings the positions of users to the prices of the moment, one process at a time. */
export class PositionFollower {
  readonly #options: FollowPositionsOptions;
  readonly #watched: WatchedUsers;
  readonly #prices: Prices;
  readonly #log: ThrottledLog;
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: FollowPositionsOptions) {
    this.#options = options;
    this.#watched = new WatchedUsers(options.redis);
    this.#prices = new Prices(options.redis);
    this.#log = new ThrottledLog(options.log, options.signal);
  }

  start(): void {
    const { tickMs, watchedMs = usualWatchedMs, everyoneMs = usualEveryoneMs } = this.#options;
    this.#running = Promise.all([
      this.#inTurn('watched', watchedMs, async () => this.#refresh(await this.#watched.list())),
      this.#inTurn('everyone', everyoneMs, () => this.#refreshEveryone()),
      this.#inTurn('prices', tickMs, () => this.#askPrices()),
    ]);
  }

  /** Resolves when nothing runs any more, after the signal. */
  async ended(): Promise<void> {
    await this.#running;
  }

  /** Does the work again and again, whichever process comes first. */
  async #inTurn(name: string, everyMs: number, work: () => Promise<void>): Promise<void> {
    const { redis, signal } = this.#options;
    let faults = 0;
    while (!signal.aborted) {
      try {
        const turn = [`tidemark:positions-turn:${name}`, '1', 'PX', Math.ceil(everyMs * 0.9), 'NX'] as const;
        if (await redis.set(...turn)) await work();
        faults = 0;
      } catch (error) {
        faults++;
        // A database that is away for a moment is no news.
        if (faults > 1) this.#log.warn(`positions not brought up to date (${name})`, error, 'positions');
      }
      await pause(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #refresh(userIds: readonly string[]): Promise<void> {
    const { users, signal } = this.#options;
    const unreadable = (error: unknown) => this.#log.warn('an account is not understood', error);
    for (let from = 0; from < userIds.length && !signal.aborted; from += batch)
      await users.updater.refresh(userIds.slice(from, from + batch), unreadable);
  }

  async #refreshEveryone(): Promise<void> {
    const { storage, signal } = this.#options;
    let last: string | undefined = '';
    while (last !== undefined && !signal.aborted) {
      const userIds: string[] = await storage.accounts.holders(last, batch);
      await this.#refresh(userIds);
      last = userIds.at(-1);
    }
  }

  /** The prices of what is held on exchanges that are not the market. */
  async #askPrices(): Promise<void> {
    const { storage, exchanges, market } = this.#options;
    const others = exchanges.known.entries.filter(({ id }) => id !== market).map(({ name }) => name);
    const held = await storage.accounts.heldAssets(others);
    const asked = await Promise.allSettled(held.map(({ exchange, assets }) => this.#ask(exchange, assets)));
    const failed = asked.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
    if (failed) throw failed.reason;
  }

  async #ask(exchange: string, assets: readonly string[]): Promise<void> {
    const { exchanges } = this.#options;
    const pairs = assets.filter((asset) => !isCash(asset)).map((base) => ({ base, quote: quoteCurrency }));
    const source = await exchanges.source(exchange);
    const traded = await source.traded(pairs);
    if (traded.length > 0)
      await this.#prices.put(exchanges.known.marketOf(exchange), await source.ticks(traded));
  }
}
