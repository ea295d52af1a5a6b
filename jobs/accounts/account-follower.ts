import { setMaxListeners } from 'node:events';
import type { Redis } from 'ioredis';
import type { AccountExchanges } from '../../storage/accounts/accounts.js';
import { StreamedAccounts } from '../../storage/accounts/streamed-accounts.js';
import { WatchedUsers } from '../../storage/accounts/watched-users.js';
import type { HeardAnswer } from '../../storage/servers/redis-pulse.js';
import { RedisClock } from '../../storage/servers/redis-clock.js';
import type { Log } from '../../storage/process/log.js';
import { isMongoUnavailable } from '../../storage/servers/mongo.js';
import { ThrottledLog } from '../../storage/process/throttled-log.js';
import { pauseUnlessAborted } from '../market/pause-unless-aborted.js';
import { AssetPrices } from './asset-prices.js';
import { visitAccount, type AccountVisitTools } from './visit-account.js';

export interface AccountFollowerOptions extends Pick<
  AccountVisitTools,
  'storage' | 'users' | 'exchanges' | 'pollMs' | 'signal'
> {
  redis: Redis;
  log: Log;
  /** Time between two looks for due accounts. */
  lookMs?: number;
}

/** Visits to accounts of one exchange at a time. */
const concurrentVisits = 2;
const defaultLookMs = 1_000;

/**
 * Reads the connected accounts of all users when they are due. Any number of processes may do so together. Each exchange has
 * loops of its own, so that a slow exchange does not delay the accounts of others.
 */
export class AccountFollower {
  readonly #options: AccountFollowerOptions;
  readonly #visitTools: Omit<AccountVisitTools, 'lease' | 'isStreamed'>;
  readonly #watched: HeardAnswer<string[]>;
  readonly #streamed: ReadonlyMap<string, HeardAnswer<string[]>>;
  readonly #log: ThrottledLog;
  /** Several processes write and compare the times at which accounts are due. */
  readonly #clock: RedisClock;
  readonly #loops: readonly AccountExchanges[];
  /** Failed looks in a row. */
  #failures = 0;
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: AccountFollowerOptions) {
    const { storage, redis, users, exchanges, log, signal } = options;
    this.#options = options;
    // Each loop waits for it.
    setMaxListeners(0, signal);
    this.#watched = new WatchedUsers(redis).follow();
    this.#log = new ThrottledLog(log, signal);
    const prices = new AssetPrices(exchanges, storage, redis);
    this.#clock = new RedisClock(redis);
    const names = users.exchanges.entries.map(({ name }) => name);
    this.#streamed = new Map(names.map((name) => [name, new StreamedAccounts(redis, name).follow()]));
    // Connections to exchanges that have left the settings are told so.
    this.#loops = [...names.map((only) => ({ only })), { except: names }];
    this.#visitTools = { ...options, prices, log: this.#log, now: () => this.#clock.now() };
  }

  start(): void {
    void this.#clock.read();
    const loops = this.#loops.map((exchanges) =>
      Array.from({ length: concurrentVisits }, (_, n) => this.#visitDueAccounts(exchanges, n)),
    );
    this.#running = Promise.all(loops.flat());
  }

  /** Resolves when all visits have ended, after the signal is aborted. */
  async ended(): Promise<void> {
    await this.#running;
    this.#clock.close();
    for (const heard of [this.#watched, ...this.#streamed.values()]) await heard.stop();
  }

  async #visitDueAccounts(exchanges: AccountExchanges, n: number): Promise<void> {
    const { signal, lookMs = defaultLookMs } = this.#options;
    while (!signal.aborted) {
      const visited = await this.#tryVisitOne(exchanges, n);
      if (!visited) await pauseUnlessAborted(lookMs, signal);
    }
  }

  async #tryVisitOne(exchanges: AccountExchanges, n: number): Promise<boolean> {
    try {
      const visited = await this.#visitOne(exchanges, n);
      this.#failures = 0;
      return visited;
    } catch (error) {
      // A short outage of the database is not logged.
      if (++this.#failures > concurrentVisits * this.#loops.length)
        this.#log.warn('accounts not visited', error);
      return false;
    }
  }

  /**
   * Visits one account that is due. Returns false if none is, or if other processes visit all of them. After an error it goes
   * on to the next, so that an account that cannot be stored does not keep the others waiting, and throws it at the end.
   */
  async #visitOne(exchanges: AccountExchanges, n: number): Promise<boolean> {
    const { storage, pollMs } = this.#options;
    const nowMs = this.#clock.now();
    const streamed = await this.#streamedOn(exchanges);
    const watched = (await this.#watched.value()).filter((userId) => !streamed.has(userId));
    const limit = 4 * concurrentVisits;
    const due = await storage.accounts.due({ nowMs, watched, sinceMs: nowMs - pollMs, exchanges, limit });
    const errors: unknown[] = [];
    for (let i = 0; i < due.length; i++) {
      // The loops start at different accounts, so that they do not wait for the same lease.
      const { userId, exchange } = due[(i + n) % due.length];
      const visiting = storage.leases.attempt(`account:${userId}:${exchange}`, (lease) =>
        visitAccount({ ...this.#visitTools, lease, isStreamed: streamed.has(userId) }, userId, exchange),
      );
      const held = await visiting.catch((error: unknown) => {
        if (isMongoUnavailable(error)) throw error;
        errors.push(error);
      });
      if (held?.result) return true;
    }
    if (errors.length > 0) throw errors[0];
    return false;
  }

  /** The users whose account is known by its streams: it is read when they tell of a change, and hourly. */
  async #streamedOn(exchanges: AccountExchanges): Promise<ReadonlySet<string>> {
    if (!('only' in exchanges)) return new Set();
    return new Set(await this.#streamed.get(exchanges.only)!.value());
  }
}
