import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { AppError } from '../../../compute/model/errors.js';
import type { PairSymbols } from '../../../compute/model/market-pair.js';
import type { TradingVenue } from '../../../storage/exchanges/trading-venue.js';
import { RepeatedWork } from '../../../storage/process/repeated-work.js';
import { isMongoUnavailable } from '../../../storage/servers/mongo.js';
import { StreamedAccounts } from '../../../storage/accounts/streamed-accounts.js';
import { luaNow } from '../../../storage/servers/redis-now.js';
import { awaitRedis, runScript } from '../../../storage/servers/redis.js';
import {
  checkKey,
  pauseAccount,
  reconcileAccount,
  type HowRead,
  type ReconcileTools,
} from './reconcile-account.js';
import { SharedCalls } from '../../../storage/process/shared-calls.js';

const defaultMs = 30_000;
/** How often an account is compared whose streams tell of all changes. */
const streamedMs = 3_600_000;
/** How often more of an account is read than its executions need: of one account in a round, so that the others do not wait. */
const wholeMs = 3_600_000;
/** How often a venue with open executions is asked whether it serves again. */
const probeMs = 5_000;

/** After the comparison of a paper account the reconciler rests this many times as long as it took. */
const restPerWork = 10;
/** How long the comparison of a paper account waits while the process has work. */
const busyMs = 1_000;

export interface ReconcilerOptions extends Omit<ReconcileTools, 'shown'> {
  redis: Redis;
  venues: readonly TradingVenue[];
  /** How often an account is compared, over all processes. Default: 30 s. */
  everyMs?: number;
  /** Whether this process has work that the comparison of paper accounts would delay. Default: never. */
  isBusy?: () => boolean;
}

/**
 * Compares each account that has open executions with its exchange, again and again. Paper accounts are in the database of the
 * service: their comparison takes at most a tenth of the time, so a round over many of them takes longer. `ready` says whether
 * this process has compared an account since its start and since the last outage of its exchange.
 */
export class Reconciler {
  readonly #options: ReconcilerOptions;
  readonly #everyMs: number;
  readonly #rounds: RepeatedWork[] = [];
  /** When the last comparison without a difference began, by the monotonic clock. */
  readonly #current = new Map<string, number>();
  /** Accounts with a request that was not answered. */
  readonly #doubtful = new Set<string>();
  /** Venues with open executions. */
  readonly #standing = new Set<TradingVenue>();
  readonly #shown = new Set<string>();
  readonly #comparisons = new SharedCalls<boolean>();

  constructor(options: ReconcilerOptions) {
    this.#options = options;
    this.#everyMs = options.everyMs ?? defaultMs;
  }

  start(): void {
    const { venues, log } = this.#options;
    for (const venue of venues) {
      const onError = (err: unknown) => log.warn({ exchange: venue.id, err }, 'accounts not compared');
      const round = (closing: AbortSignal) => this.#compareAll(venue, closing);
      this.#rounds.push(new RepeatedWork(round, this.#everyMs, onError));
      const probe = async () => (this.#standing.has(venue) ? venue.probe?.() : undefined);
      if (venue.probe) this.#rounds.push(new RepeatedWork(probe, probeMs, onError));
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#rounds.map((round) => round.close()));
    await this.#comparisons.settled();
  }

  /** Notes that the exchange did not answer for an account, which is then compared before its next order. */
  noteOutage(venue: TradingVenue, userId: string): void {
    this.#current.delete(`${venue.id} ${userId}`);
    this.#doubtful.add(`${venue.id} ${userId}`);
  }

  /** Pauses an account whose key may be read with, and no longer trades, until its owner acts. */
  keyRefused = (venue: TradingVenue, userId: string, why: string): Promise<void> =>
    pauseAccount(this.#options, { userId, exchange: venue.id }, `its key may not trade: ${why}`, 'key');

  /** Compares an account, unless it was since the start and the last outage, or since then its streams have told of all changes. Null, or why it is not ready for orders. One that cannot be read now is ready for what reduces a position. */
  async ready(venue: TradingVenue, userId: string, { reduces = false } = {}): Promise<string | null> {
    const account = `${venue.id} ${userId}`;
    if (this.#current.has(account)) return null;
    if (!this.#doubtful.has(account) && (await this.#streamed(venue).has(userId))) return null;
    try {
      const isEqual = await this.#compare(venue, userId, { urgency: 'compare', isWhole: false });
      return isEqual
        ? null
        : `the account on ${venue.id} differs from what is stored; this is looked into first`;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return reduces ? null : error.message;
    }
  }

  /** Looks whether the exchange refuses the key of a user, without delaying the caller; see `checkKey`. */
  checkKey(venue: TradingVenue, userId: string, pair: PairSymbols): void {
    const tools = { ...this.#options, shown: this.#shown };
    const check = () => checkKey(tools, venue, userId, pair).then(() => true);
    this.#comparisons.run(`key ${venue.id} ${userId}`, check).catch((error: unknown) => {
      this.#options.log.warn({ exchange: venue.id, userId, err: error }, 'key not checked');
    });
  }

  /** Compares an account, once at a time. */
  #compare(venue: TradingVenue, userId: string, how: HowRead): Promise<boolean> {
    const account = `${venue.id} ${userId}`;
    // A comparison that an order waits for does not wait for one of a round.
    return this.#comparisons.run(`${how.urgency} ${account}`, async () => {
      const tools = { ...this.#options, shown: this.#shown };
      const beganAt = performance.now();
      const isEqual = await reconcileAccount(tools, venue, { userId, ...how });
      if (isEqual) {
        this.#current.set(account, beganAt);
        this.#doubtful.delete(account);
      } else await this.#takeAgain(venue, userId);
      return isEqual;
    });
  }

  async #compareAll(venue: TradingVenue, closing: AbortSignal): Promise<void> {
    const { executions, subscriptions } = this.#options.storage;
    const open = await executions.openUsers(venue.id);
    if (open.length > 0) this.#standing.add(venue);
    else this.#standing.delete(venue);
    // An account without open executions is read, too, while its pause may end by itself.
    const paused = await subscriptions.pausedUsers(venue.id);
    // Isolated margin is streamed by no exchange for all pairs at once.
    const polled = new Set([...paused, ...(await executions.isolatedUsers(venue.id))]);
    const streamed = await this.#streamed(venue).list();
    let isWholeRead = false;
    for (const userId of new Set([...open, ...paused])) {
      if (closing.aborted) return;
      const everyMs = streamed.has(userId) && !polled.has(userId) ? streamedMs : this.#everyMs * 0.9;
      if (!(await this.#takeTurn(venue, userId, everyMs))) continue;
      const isWhole: boolean =
        venue.lateMs === undefined ||
        (!isWholeRead && (await this.#takeTurn(venue, `${userId} whole`, wholeMs)));
      isWholeRead ||= isWhole;
      await this.#compareInTurn(venue, userId, { isWhole, signal: closing });
    }
  }

  async #compareInTurn(
    venue: TradingVenue,
    userId: string,
    { isWhole, signal }: { isWhole: boolean; signal: AbortSignal },
  ): Promise<void> {
    if (venue.lateMs !== undefined) return void (await this.check(venue, userId, { isWhole }));
    const rest = (ms: number) => pause(ms, undefined, { signal }).catch(() => undefined);
    if (this.#options.isBusy?.()) await rest(busyMs);
    const startedAt = performance.now();
    await this.check(venue, userId, { isWhole });
    await rest((performance.now() - startedAt) * restPerWork);
  }

  /**
   * Compares an account, and answers whether there were no differences. One that cannot be read does not delay the others. A comparison
   * that began after `since` (by the monotonic clock) is not repeated.
   */
  async check(
    venue: TradingVenue,
    userId: string,
    { since = Infinity, isWhole = false } = {},
  ): Promise<boolean> {
    if ((this.#current.get(`${venue.id} ${userId}`) ?? 0) > since) return true;
    try {
      return await this.#compare(venue, userId, { urgency: 'poll', isWhole });
    } catch (error) {
      if (isMongoUnavailable(error)) throw error;
      this.noteOutage(venue, userId);
      this.#options.log.warn({ exchange: venue.id, userId, err: error }, 'account not compared');
      await this.#takeAgain(venue, userId).catch(() => undefined);
      return false;
    }
  }

  /** Whether this process may compare the account: one process does so in each interval. */
  async #takeTurn(venue: TradingVenue, userId: string, everyMs: number): Promise<boolean> {
    const args = [Math.ceil(everyMs), streamedMs] as const;
    return (await runScript(this.#options.redis, turnScript, turnKey(venue, userId), args)) === 1;
  }

  /** An account that differs, or could not be read, is compared in the next round, however it is streamed. */
  async #takeAgain(venue: TradingVenue, userId: string): Promise<void> {
    const { redis } = this.#options;
    await awaitRedis(redis.pexpire(turnKey(venue, userId), Math.ceil(this.#everyMs * 0.9)));
  }

  #streamed = (venue: TradingVenue): StreamedAccounts => new StreamedAccounts(this.#options.redis, venue.id);
}

const turnKey = ({ id }: TradingVenue, userId: string): string => `tidemark:reconciled:${id}:${userId}`;

/** The turn is free once its time is over, which depends on who asks. ARGV: that time, and the longest one. */
const turnScript = `${luaNow}
if now - tonumber(redis.call('GET', KEYS[1]) or '0') < tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[1], now, 'PX', ARGV[2])
return 1`;
