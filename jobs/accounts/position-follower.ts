import type { Redis } from 'ioredis';
import type { Storage } from '../../storage/index.js';
import type { Log } from '../../storage/process/log.js';
import { isCash } from '../../storage/candles/pegged.js';
import { ThrottledLog } from '../../storage/process/throttled-log.js';
import type { HeardAnswer } from '../../storage/servers/redis-pulse.js';
import { WatchedUsers } from '../../storage/accounts/watched-users.js';
import type { OpenExchanges } from '../../storage/exchanges/open-exchanges.js';
import type { UserExchanges } from '../../storage/accounts/user-exchanges.js';
import { pauseUnlessAborted } from '../market/pause-unless-aborted.js';
import { AssetPrices } from './asset-prices.js';

export interface PositionFollowerOptions {
  storage: Storage;
  redis: Redis;
  users: UserExchanges;
  exchanges: OpenExchanges;
  /** The market of the service. Its prices are updated elsewhere: by the follower of the market. */
  market: string;
  /** Time between two requests for the prices of connected exchanges other than the market. */
  tickMs: number;
  log: Log;
  signal: AbortSignal;
  /** Time between two updates of the positions of users who are online, and of all users. */
  watchedMs?: number;
  everyoneMs?: number;
}

const defaultWatchedMs = 5_000;
const defaultEveryoneMs = 300_000;
const usersPerBatch = 200;

/** Keeps the positions of users at current prices, one process at a time. */
export class PositionFollower {
  readonly #options: PositionFollowerOptions;
  readonly #watched: HeardAnswer<string[]>;
  readonly #prices: AssetPrices;
  readonly #log: ThrottledLog;
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: PositionFollowerOptions) {
    this.#options = options;
    this.#watched = new WatchedUsers(options.redis).follow();
    this.#prices = new AssetPrices(options.exchanges, options.storage, options.redis);
    this.#log = new ThrottledLog(options.log, options.signal);
  }

  start(): void {
    const { tickMs, watchedMs = defaultWatchedMs, everyoneMs = defaultEveryoneMs } = this.#options;
    this.#running = Promise.all([
      this.#repeat('watched', watchedMs, async (takeTurn) => {
        const userIds = await this.#watched.value();
        if (userIds.length > 0 && (await takeTurn())) await this.#refresh(userIds);
      }),
      this.#repeat('everyone', everyoneMs, async (takeTurn) => {
        if (await takeTurn()) await this.#refreshEveryone();
      }),
      this.#repeat('prices', tickMs, (takeTurn) => this.#updatePrices(takeTurn)),
    ]);
  }

  /** Resolves when all work has ended, after the signal is aborted. */
  async ended(): Promise<void> {
    await this.#running;
    await this.#watched.stop();
  }

  /** Works in each interval. The turn is for the process that sets the key in Redis first; who has nothing to do asks for none. */
  async #repeat(
    name: string,
    everyMs: number,
    work: (takeTurn: () => Promise<boolean>) => Promise<void>,
  ): Promise<void> {
    const { redis, signal } = this.#options;
    const turn = [`tidemark:positions-turn:${name}`, '1', 'PX', Math.ceil(everyMs * 0.9), 'NX'] as const;
    const takeTurn = async () => (await redis.set(...turn)) !== null;
    let failures = 0;
    while (!signal.aborted) {
      try {
        await work(takeTurn);
        failures = 0;
      } catch (error) {
        failures++;
        // A short outage of the database is not logged.
        if (failures > 1) this.#log.warn(`positions not updated (${name})`, error, 'positions');
      }
      await pauseUnlessAborted(everyMs, signal);
    }
  }

  async #refresh(userIds: readonly string[]): Promise<void> {
    const { users, signal } = this.#options;
    const unreadable = (error: unknown) => this.#log.warn('account cannot be valued', error);
    for (let from = 0; from < userIds.length && !signal.aborted; from += usersPerBatch)
      await users.updater.refresh(userIds.slice(from, from + usersPerBatch), unreadable);
  }

  async #refreshEveryone(): Promise<void> {
    const { storage, signal } = this.#options;
    let last: string | undefined = '';
    while (last !== undefined && !signal.aborted) {
      const userIds: string[] = await storage.accounts.holders(last, usersPerBatch);
      await this.#refresh(userIds);
      last = userIds.at(-1);
    }
  }

  /** Updates the prices of held assets on exchanges other than the market. */
  async #updatePrices(takeTurn: () => Promise<boolean>): Promise<void> {
    const { storage, exchanges, market } = this.#options;
    const others = exchanges.known.entries.filter(({ id }) => id !== market).map(({ name }) => name);
    const held = await storage.accounts.heldAssets(others);
    if (held.length === 0 || !(await takeTurn())) return;
    const updates = await Promise.allSettled(
      held.map(({ exchange, assets }) => {
        const priced = assets.filter((asset) => !isCash(asset));
        return this.#prices.update(exchange, priced);
      }),
    );
    const failed = updates.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
    if (failed) throw failed.reason;
  }
}
