import type { Redis } from 'ioredis';
import { portions } from '../servers/find-by-values.js';

/** What an account has asked for on a day (UTC). */
export interface DayUsage {
  requests: number;
  points: number;
}

const flushMs = 5_000;
/** A day is kept until its successor is over. */
const keptSeconds = 2 * 86_400;
/** Accounts and days that wait to be sent; more are not counted. */
const mostWaiting = 100_000;

const keyOf = (day: string, userId: string): string => `tidemark:usage:${day}:${userId}`;

const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

/**
 * Counts requests and points of accounts by day. All gateways add up in Redis, with one message every five seconds for what has
 * happened in them; nothing is sent for a single request. What a gateway that is killed has not sent is lost.
 */
export class DailyUsage {
  readonly #redis: Redis;
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout;
  #waiting = new Map<string, DayUsage>();
  #sending: Promise<void> = Promise.resolve();

  constructor(redis: Redis, { everyMs = flushMs, now = Date.now } = {}) {
    this.#redis = redis;
    this.#now = now;
    this.#timer = setInterval(() => void this.flush(), everyMs).unref();
  }

  /** Counts points of a user, and the request that they are for unless it is counted already. */
  record(userId: string, { requests, points }: DayUsage): void {
    this.#add(keyOf(dayOf(this.#now()), userId), { requests, points });
  }

  /** The usage of today over all gateways, as far as they have sent it; null while Redis does not answer. */
  async today(userId: string): Promise<(DayUsage & { day: string }) | null> {
    await this.flush();
    const day = dayOf(this.#now());
    try {
      const [requests, points] = await this.#redis.hmget(keyOf(day, userId), 'requests', 'points');
      return { day, requests: Number(requests ?? 0), points: Number(points ?? 0) };
    } catch {
      return null;
    }
  }

  /** Sends what waits, after what is being sent. */
  flush(): Promise<void> {
    this.#sending = this.#sending.then(() => this.#send());
    return this.#sending;
  }

  /** Sends what is left. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  async #send(): Promise<void> {
    const sent = [...this.#waiting];
    this.#waiting = new Map();
    for (const some of portions(sent)) {
      const commands = some.flatMap(([key, { requests, points }]) => [
        ['hincrby', key, 'requests', String(requests)],
        ['hincrby', key, 'points', String(points)],
        ['expire', key, String(keptSeconds)],
      ]);
      // All of a portion or nothing: Redis is not held up by many accounts, and while it does not answer they wait.
      const isSent = await this.#redis
        .multi(commands)
        .exec()
        .then(
          () => true,
          () => false,
        );
      if (!isSent) for (const [key, usage] of some) this.#add(key, usage);
    }
  }

  #add(key: string, { requests, points }: DayUsage): void {
    const known = this.#waiting.get(key);
    if (known) {
      known.requests += requests;
      known.points += points;
    } else if (this.#waiting.size < mostWaiting) this.#waiting.set(key, { requests, points });
  }
}
