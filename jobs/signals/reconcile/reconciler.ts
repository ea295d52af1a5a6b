import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { AppError } from '../../../compute/model/errors.js';
import type { Urgency } from '../../../storage/exchanges/request-limit.js';
import type { TradingVenue } from '../../../storage/exchanges/trading-venue.js';
import { RepeatedWork } from '../../../storage/process/repeated-work.js';
import { isMongoUnavailable } from '../../../storage/servers/mongo.js';
import { awaitRedis } from '../../../storage/servers/redis.js';
import { reconcileAccount, type ReconcileTools } from './reconcile-account.js';
import { SharedCalls } from '../../../storage/process/shared-calls.js';

const defaultMs = 30_000;
/** How often a venue with open executions is asked whether it serves again. */
const probeMs = 5_000;

/** After the comparison of a paper account the reconciler rests this many times as long as it took. */
const restPerWork = 10;
/** How long the comparison of a paper account waits while the process has work. */
const busyMs = 1_000;

export interface ReconcilerOptions extends Omit<ReconcileTools, 'shown'> {
  redis: Redis;
  /** The venues to compare with. */
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
  readonly #current = new Set<string>();
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
  }

  /** Compares an account, unless that was done since the start and the last outage. Null, or why it is not ready for orders. */
  async ready(venue: TradingVenue, userId: string): Promise<string | null> {
    if (this.#current.has(`${venue.id} ${userId}`)) return null;
    try {
      const isEqual = await this.#compare(venue, userId, 'compare');
      return isEqual
        ? null
        : `the account on ${venue.id} differs from what is stored; this is looked into first`;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return error.message;
    }
  }

  /** Compares an account, once at a time. */
  #compare(venue: TradingVenue, userId: string, urgency: Urgency): Promise<boolean> {
    const account = `${venue.id} ${userId}`;
    // A comparison that an order waits for does not wait for one of a round.
    return this.#comparisons.run(`${urgency} ${account}`, async () => {
      const isEqual = await reconcileAccount({ ...this.#options, shown: this.#shown }, venue, {
        userId,
        urgency,
      });
      if (isEqual) this.#current.add(account);
      return isEqual;
    });
  }

  async #compareAll(venue: TradingVenue, closing: AbortSignal): Promise<void> {
    const { executions, subscriptions } = this.#options.storage;
    const open = await executions.openUsers(venue.id);
    if (open.length > 0) this.#standing.add(venue);
    else this.#standing.delete(venue);
    // An account without open executions is read, too, while its pause may end by itself.
    for (const userId of new Set([...open, ...(await subscriptions.pausedUsers(venue.id))])) {
      if (closing.aborted) return;
      if (await this.#takeTurn(venue, userId)) await this.#compareInTurn(venue, userId, closing);
    }
  }

  async #compareInTurn(venue: TradingVenue, userId: string, signal: AbortSignal): Promise<void> {
    if (venue.lateMs !== undefined) return this.#compareOne(venue, userId);
    const rest = (ms: number) => pause(ms, undefined, { signal }).catch(() => undefined);
    if (this.#options.isBusy?.()) await rest(busyMs);
    const startedAt = performance.now();
    await this.#compareOne(venue, userId);
    await rest((performance.now() - startedAt) * restPerWork);
  }

  /** An account that cannot be read or compared does not delay the others. */
  async #compareOne(venue: TradingVenue, userId: string): Promise<void> {
    try {
      await this.#compare(venue, userId, 'poll');
    } catch (error) {
      if (isMongoUnavailable(error)) throw error;
      this.noteOutage(venue, userId);
      this.#options.log.warn({ exchange: venue.id, userId, err: error }, 'account not compared');
    }
  }

  /** Whether this process may compare the account: one process does so in each interval. */
  async #takeTurn(venue: TradingVenue, userId: string): Promise<boolean> {
    const key = `tidemark:reconciled:${venue.id}:${userId}`;
    const { redis } = this.#options;
    return (await awaitRedis(redis.set(key, '1', 'PX', Math.ceil(this.#everyMs * 0.9), 'NX'))) !== null;
  }
}
