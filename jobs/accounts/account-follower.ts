import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Decimal } from '../../compute/model/decimal.js';
import { AppError } from '../../compute/model/errors.js';
import type { Account } from '../../storage/accounts/accounts.js';
import type { Storage } from '../../storage/index.js';
import type { Log } from '../../storage/process/log.js';
import { quoteCurrency } from '../../storage/candles/pegged.js';
import { decimalOf } from '../../storage/accounts/position-updater.js';
import { LatestPrices } from '../../storage/candles/latest-prices.js';
import { Prices } from '../../storage/candles/prices.js';
import { ThrottledLog } from '../../storage/process/throttled-log.js';
import { WatchedUsers } from '../../storage/accounts/watched-users.js';
import type { OpenExchanges } from '../../storage/exchanges/open-exchanges.js';
import { syncAccount } from './sync-account.js';
import type { UserExchanges } from '../../storage/accounts/user-exchanges.js';

export interface FollowAccountsOptions {
  storage: Storage;
  redis: Redis;
  users: UserExchanges;
  exchanges: OpenExchanges;
  /** Time between two readings of an account whose owner is looking; others wait `idleFactor` times as long. */
  pollMs: number;
  log: Log;
  signal: AbortSignal;
  /** How often it looks for what is due. */
  lookMs?: number;
}

const lanes = 2;
const usualLookMs = 1_000;
const idleFactor = 15;
/** Until the next visit of an account that was not read whole. */
const againMs = 1_000;
const firstPauseMs = 30_000;
const longestPauseMs = 3_600_000;
/** A key that is not accepted may be again, when the owner has mended something: it is tried rarely. */
const refusedPauseMs = 900_000;
/** An account that lacks its connection: that was removed, or is about to be stored. */
const orphanLooks = 2;

/** Reads the accounts of all connections again and again, together with as many other processes as do the same. */
export class AccountFollower {
  readonly #options: FollowAccountsOptions;
  readonly #watched: WatchedUsers;
  readonly #prices: LatestPrices;
  readonly #ticks: Prices;
  /** Looks in a row that failed, of all lanes. */
  #faults = 0;
  readonly #log: ThrottledLog;
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: FollowAccountsOptions) {
    this.#options = options;
    this.#watched = new WatchedUsers(options.redis);
    this.#prices = new LatestPrices(options.storage, options.redis);
    this.#ticks = new Prices(options.redis);
    this.#log = new ThrottledLog(options.log, options.signal);
  }

  start(): void {
    this.#running = Promise.all(Array.from({ length: lanes }, (_, n) => this.#lane(n)));
  }

  /** Resolves when nothing runs any more, after the signal. */
  async ended(): Promise<void> {
    await this.#running;
  }

  async #lane(n: number): Promise<void> {
    const { signal, lookMs = usualLookMs } = this.#options;
    while (!signal.aborted) {
      const found = await this.#lookAt(n).then(
        (visited) => {
          this.#faults = 0;
          return visited;
        },
        (error: unknown) => {
          // A database that is away for a moment is no news.
          if (++this.#faults > lanes) this.#log.warn('accounts not looked at', error);
          return false;
        },
      );
      if (!found) await pause(lookMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Visits one account that is due; false if there was none, or others are at them. */
  async #lookAt(lane: number): Promise<boolean> {
    const { storage, pollMs } = this.#options;
    const now = Date.now();
    const due = await storage.accounts.due(now, await this.#watched.list(), now - pollMs, 4 * lanes);
    for (let n = 0; n < due.length; n++) {
      // Each lane begins elsewhere, so that they do not all wait for the same.
      const { userId, exchange } = due[(n + lane) % due.length];
      const lease = `account:${userId}:${exchange}`;
      const held = await storage.leases.attempt(lease, () => this.#visit(userId, exchange));
      if (held?.result) return true;
    }
    return false;
  }

  async #visit(userId: string, exchange: string): Promise<boolean> {
    const { storage, users, exchanges, pollMs, signal } = this.#options;
    const account = await storage.accounts.find(userId, exchange);
    // Another process may have been here since the list was made.
    if (!account || (!isDue(account) && !isOlder(account, pollMs))) return false;
    const connection = await storage.connections.find(userId, exchange);
    if (!connection) {
      await this.#leave(account);
      return true;
    }
    let next: Account;
    try {
      const opened = await exchanges.open(connection, storage.connections);
      const synced = await syncAccount(account, opened, {
        nowMs: Date.now(),
        pricesOf: (assets) => this.#pricesOf(exchange, assets),
      });
      const { isWhole, ...read } = synced;
      const now = Date.now();
      next = {
        ...account,
        ...read,
        syncedAt: isWhole ? now : account.syncedAt,
        dueAt: now + (isWhole ? idleFactor * pollMs : againMs),
        failures: 0,
        fault: null,
      };
    } catch (error) {
      if (signal.aborted) return false;
      next = this.#failed(account, error);
    }
    if (await storage.accounts.replace(next)) await users.updater.refresh([userId]);
    return true;
  }

  #failed(account: Account, error: unknown): Account {
    const failures = account.failures + 1;
    const known = error instanceof AppError;
    if (!known || error.kind === 'bug') this.#log.warn('account not read', error);
    const isRefused = known && error.code === 'exchange_refused';
    const asked = known ? Number(error.details.retryAfterMs ?? 0) : 0;
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (failures - 1));
    return {
      ...account,
      failures,
      fault: known && error.kind !== 'bug' ? error.message : 'it could not be read',
      dueAt: Date.now() + Math.max(asked, isRefused ? refusedPauseMs : pauseMs),
    };
  }

  async #leave(account: Account): Promise<void> {
    const { storage, users } = this.#options;
    if (account.failures < orphanLooks)
      await storage.accounts.replace(this.#failed(account, new AppError('cancelled', 'not connected')));
    else {
      await storage.accounts.remove(account.userId, account.exchange);
      await users.updater.refresh([account.userId]);
    }
  }

  /** The prices of assets on an exchange; those that nobody has asked for yet are asked for now. */
  async #pricesOf(exchange: string, assets: readonly string[]): Promise<Map<string, Decimal>> {
    const { exchanges } = this.#options;
    const market = exchanges.known.marketOf(exchange);
    let found = await this.#prices.find(market, assets);
    const missing = assets.filter((asset) => !found.has(asset));
    if (missing.length > 0) {
      const source = await exchanges.source(exchange);
      const traded = await source.traded(missing.map((base) => ({ base, quote: quoteCurrency })));
      if (traded.length > 0) {
        await this.#ticks.put(market, await source.ticks(traded));
        found = await this.#prices.find(market, assets);
      }
    }
    return new Map([...found].map(([asset, { price }]) => [asset, decimalOf(price)]));
  }
}

const isDue = ({ dueAt }: Account): boolean => dueAt !== null && dueAt <= Date.now();

const isOlder = ({ syncedAt, failures }: Account, pollMs: number): boolean =>
  failures === 0 && syncedAt !== null && syncedAt <= Date.now() - pollMs;
