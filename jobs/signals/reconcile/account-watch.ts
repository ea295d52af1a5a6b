import type { Redis } from 'ioredis';
import { AppError } from '../../../compute/model/errors.js';
import { StreamedAccounts } from '../../../storage/accounts/streamed-accounts.js';
import type { AccountStreams, TradingVenue } from '../../../storage/exchanges/trading-venue.js';
import type { AccountNews } from '../../../storage/exchanges/venue-user-stream.js';
import type { Storage } from '../../../storage/index.js';
import type { Log } from '../../../storage/process/log.js';
import { batchedCalls } from '../../../storage/process/batched-calls.js';
import { RepeatedWork } from '../../../storage/process/repeated-work.js';
import type { Lease } from '../../../storage/servers/lease.js';
import type { StoredExecution } from '../../../storage/signals/stored-execution.js';
import { untilAborted } from '../../durable/leased-work.js';
import { applyNews, type NewsTools } from './apply-news.js';
import { HeardNews } from './heard-news.js';
import type { Reconciler } from './reconciler.js';

/**
 * Work that is asked for often and done at once, but not again within a time, which doubles up to `againMs` while it is asked for again
 * and again: what is asked for meanwhile is done after that.
 */
class Throttled {
  readonly #firstMs: number;
  readonly #work: () => void;
  #timer: NodeJS.Timeout | undefined;
  #doneMs = -Infinity;
  #everyMs: number;

  constructor(firstMs: number, work: () => void) {
    this.#everyMs = this.#firstMs = firstMs;
    this.#work = work;
  }

  call(): void {
    const inMs = Math.max(0, this.#doneMs + this.#everyMs - performance.now());
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const isRare = performance.now() - this.#doneMs > againMs;
      this.#everyMs = isRare ? this.#firstMs : Math.min(againMs, 2 * this.#everyMs);
      this.#doneMs = performance.now();
      this.#work();
    }, inMs);
  }

  /** Drops what is waiting. */
  close(): void {
    clearTimeout(this.#timer);
  }
}

/** A signal asks itself for a balance that cannot be read now. */
function ifRefused(error: unknown): void {
  if (!(error instanceof AppError)) throw error;
}

/** How many accounts of an exchange are streamed. The others are polled. */
const mostStreamed = 1_000;
const defaultFollowMs = 5_000;
/** How often it looks for accounts that were opened and not read. */
const readMs = 1_000;
/** News are collected for this time, so that those of one trade are looked into together. */
const collectMs = 100;
/** When news are looked into again that were left to a worker, or met what it wrote. */
const laterMs = 250;
/** How often an account is compared at most while news go on, and how often it is read to be shown. */
const againMs = 30_000;
const firstRetryMs = 2_000;

export interface AccountWatchOptions extends NewsTools {
  venue: TradingVenue;
  redis: Redis;
  storage: Pick<Storage, 'accounts' | 'connections' | 'executions'>;
  reconciler: Pick<Reconciler, 'check'>;
  log: Pick<Log, 'info' | 'warn'>;
  /** How often it looks for accounts to follow. Default: 5 s. */
  followMs?: number | undefined;
}

/** An account while its streams are open. */
interface WatchedAccount {
  /** Whether it was read since they opened: from then on they tell all that happens. */
  isKnown: boolean;
  /** By the monotonic clock. */
  openedAt: number;
  retryMs: number;
  retryAtMs: number;
  heard: HeardNews;
  collecting?: NodeJS.Timeout;
  comparing: Throttled;
  showing: Throttled;
}

/**
 * Follows the private streams of the accounts of a venue. What they tell makes executions look up their orders, by requests: so
 * news that are repeated, late or in another order book nothing twice, and those that are missed leave the account to be compared.
 */
export class AccountWatch {
  readonly #options: AccountWatchOptions;
  readonly #lease: Lease;
  readonly #streamed: StreamedAccounts;
  readonly #watched = new Map<string, WatchedAccount>();
  readonly #streams: AccountStreams;
  /** Executions with the orders of which the streams have told: those of one signal have news at the same time. */
  readonly #withOrders: (asked: { userId: string; ids: readonly string[] }) => Promise<StoredExecution[]>;
  readonly #wakeAccount: (userId: string) => Promise<void>;

  constructor(options: AccountWatchOptions, lease: Lease) {
    this.#options = options;
    this.#lease = lease;
    this.#streamed = new StreamedAccounts(options.redis, options.venue.id);
    this.#withOrders = batchedCalls({
      async send(asked: { userId: string; ids: readonly string[] }[]) {
        const users = asked.map(({ userId }) => userId);
        const all = asked.flatMap(({ ids }) => ids);
        const found = await options.storage.executions.withOrders(users, all);
        return users.map((id) => found.filter(({ userId }) => userId === id));
      },
    });
    this.#wakeAccount = batchedCalls({
      async send(userIds: string[]) {
        await options.storage.accounts.wake(userIds, options.venue.id, Date.now());
        return userIds.map(() => undefined);
      },
    });
    this.#streams = options.venue.streamAccounts!({
      onOpen: (userId) => this.#add(userId),
      onNews: (userId, news) => this.#hear(userId, news),
      onGap: (userId, reason) => this.#miss(userId, reason),
    });
  }

  /** Follows until the signal is aborted. */
  async run(ending: AbortSignal): Promise<void> {
    const { venue, log, followMs = defaultFollowMs } = this.#options;
    const onError = (err: unknown) => log.warn({ exchange: venue.id, err }, 'accounts not streamed');
    const works = [
      new RepeatedWork(() => this.#follow(), followMs, onError),
      new RepeatedWork((closing) => this.#readNew(closing), Math.min(readMs, followMs), onError),
      new RepeatedWork((closing) => this.#readBalances(closing), Math.min(readMs, followMs), onError),
    ];
    await untilAborted(ending);
    this.#streams.close();
    for (const userId of this.#watched.keys()) this.#forget(userId);
    await Promise.all(works.map((work) => work.close()));
    if (!this.#lease.signal.aborted) await this.#streamed.put(this.#lease.token, []).catch(() => undefined);
  }

  async #follow(): Promise<void> {
    const { venue, storage } = this.#options;
    const open = await storage.executions.openUsers(venue.id);
    const traders = await storage.connections.tradersOn(venue.id, mostStreamed);
    const wanted = [...new Set([...open, ...traders])].slice(0, mostStreamed);
    const isWanted = new Set(wanted);
    for (const userId of this.#watched.keys()) if (!isWanted.has(userId)) this.#forget(userId);
    this.#streams.follow(wanted);
    const known = [...this.#watched].filter(([, { isKnown }]) => isKnown).map(([userId]) => userId);
    await this.#streamed.put(this.#lease.token, known);
  }

  #add(userId: string): void {
    const watched: WatchedAccount = {
      isKnown: false,
      openedAt: performance.now(),
      retryMs: firstRetryMs,
      retryAtMs: 0,
      heard: new HeardNews(),
      comparing: new Throttled(firstRetryMs, () => {
        this.#compare(userId, watched).catch((error: unknown) => this.#fail(userId, error));
      }),
      showing: new Throttled(againMs, () => void this.#show(userId)),
    };
    this.#watched.set(userId, watched);
    watched.showing.call();
  }

  /** Compares an account, and again as long as it differs: a difference that met a write of another process is not stored. */
  async #compare(userId: string, watched: WatchedAccount): Promise<void> {
    const isEqual = await this.#options.reconciler.check(this.#options.venue, userId);
    if (!isEqual && this.#isNow(userId, watched)) watched.comparing.call();
  }

  /** Reads accounts whose streams have opened. */
  async #readNew(closing: AbortSignal): Promise<void> {
    for (const [userId, watched] of this.#watched) {
      if (closing.aborted) return;
      if (watched.isKnown || performance.now() < watched.retryAtMs) continue;
      const { venue, reconciler } = this.#options;
      watched.isKnown = await reconciler.check(venue, userId, { since: watched.openedAt });
      watched.retryAtMs = performance.now() + watched.retryMs;
      watched.retryMs = Math.min(againMs, 2 * watched.retryMs);
    }
  }

  /** Reads what accounts have on SPOT before a signal needs it: all accounts at once when a worker starts, as comparisons. */
  async #readBalances(closing: AbortSignal): Promise<void> {
    const only = [{ account: 'SPOT' as const, pair: { base: 'USDT', quote: 'USDT' } }];
    for (const userId of this.#streams.unread()) {
      if (closing.aborted) return;
      await this.#options.venue.holdings(userId, { only, urgency: 'compare' }).catch(ifRefused);
    }
  }

  #hear(userId: string, news: AccountNews): void {
    const watched = this.#watched.get(userId);
    if (!watched) return;
    watched.heard.add(news);
    this.#collect(userId, watched, collectMs);
  }

  #collect(userId: string, watched: WatchedAccount, ms: number): void {
    if (!this.#isNow(userId, watched)) return;
    watched.collecting ??= setTimeout(() => {
      delete watched.collecting;
      const { heard } = watched;
      watched.heard = new HeardNews();
      this.#apply(userId, watched, heard).catch((error: unknown) => this.#fail(userId, error));
    }, ms);
  }

  async #apply(userId: string, watched: WatchedAccount, heard: HeardNews): Promise<void> {
    const withOrders = (ids: readonly string[]) => this.#withOrders({ userId, ids });
    const { isForeign, later } = await applyNews(this.#options, heard, withOrders);
    if (later.size > 0) {
      watched.heard.addAgain(later);
      this.#collect(userId, watched, laterMs);
    }
    if (!this.#isNow(userId, watched)) return;
    watched.showing.call();
    if (isForeign || heard.isUnexplained) watched.comparing.call();
  }

  /** Whether these are its streams still: they may have ended while something was asked. */
  #isNow = (userId: string, watched: WatchedAccount): boolean => this.#watched.get(userId) === watched;

  #fail(userId: string, err: unknown): void {
    this.#options.log.warn({ exchange: this.#options.venue.id, userId, err }, 'news not applied');
    this.#miss(userId, 'news were not applied');
  }

  #miss(userId: string, reason: string): void {
    const { venue, log } = this.#options;
    log.info({ exchange: venue.id, userId, reason }, 'account not streamed');
    this.#forget(userId);
    void this.#show(userId);
  }

  #forget(userId: string): void {
    const watched = this.#watched.get(userId);
    if (!watched) return;
    this.#watched.delete(userId);
    clearTimeout(watched.collecting);
    watched.comparing.close();
    watched.showing.close();
    if (watched.isKnown) this.#streamed.drop(userId).catch(() => undefined);
  }

  /** Lets the account be read that its owner sees. */
  async #show(userId: string): Promise<void> {
    const { venue, log } = this.#options;
    await this.#wakeAccount(userId).catch((err: unknown) => {
      log.warn({ exchange: venue.id, userId, err }, 'account not read');
    });
  }
}
