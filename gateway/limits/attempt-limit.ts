import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { AppError } from '../../compute/model/errors.js';
import {
  SharedAttemptCounter,
  type AttemptRules,
  type AttemptCounter,
  type AttemptEnd,
} from '../../storage/users/attempt-counter.js';
import { LocalAttemptCounter } from '../../storage/users/local-attempt-counter.js';
import { RedisFallback } from './redis-fallback.js';

/** How long an attempt waits for other attempts of its key to end before it is refused. */
const longestWaitMs = 3_000;

const minuteMs = 60_000;

/** Of attempts that all count, such as sign-ups: 20 an hour, then one after ten minutes, after twenty, and so on up to an hour. */
export const twentyAnHour: AttemptRules = {
  limit: 20,
  windowMs: 60 * minuteMs,
  firstDelayMs: 10 * minuteMs,
  longestDelayMs: 60 * minuteMs,
};

/** An attempt in progress. */
export interface StartedAttempt {
  /** Failures of the key so far. */
  failures: number;
  /** Must be called once, however the attempt ends. */
  end(ending: AttemptEnd): Promise<void>;
}

/** Limits failed attempts over all gateways; while Redis does not answer each gateway counts for itself. */
export class AttemptLimit {
  readonly #shared: AttemptCounter;
  readonly #local: AttemptCounter;
  readonly #message: string;
  readonly #fallback = new RedisFallback();

  /** `message` begins the message of a refusal, as in "too many sign-ups". `redis` is a connection with a short time limit. */
  constructor(redis: Redis, rules: AttemptRules, message: string) {
    this.#shared = new SharedAttemptCounter(redis, rules);
    this.#local = new LocalAttemptCounter(rules);
    this.#message = message;
  }

  /**
   * Begins an attempt. If the failure of attempts in progress would reach the limit, it waits until some of them end. Throws
   * `rate_limited` if the key has too many failures, and `cancelled` if the client disconnects during the wait.
   */
  async begin(key: string, signal?: AbortSignal): Promise<StartedAttempt> {
    const id = randomUUID();
    const started = performance.now();
    for (let pauseMs = 20; ; pauseMs *= 1.5) {
      const { outcome, waitMs, failures } = await this.#ask((attempts) => attempts.begin(key, id));
      if (outcome === 'begun') return { failures, end: (ending) => this.#end(key, id, ending) };
      if (outcome === 'blocked') throw this.#tooMany(waitMs);
      if (performance.now() - started > longestWaitMs) throw this.#tooMany(1_000);
      await pause(pauseMs, undefined, signal && { signal }).catch((error: unknown) => {
        throw new AppError('cancelled', 'the client has disconnected', { cause: error });
      });
    }
  }

  /** Counts an attempt of which nothing is checked. Throws `rate_limited` if the key has had too many. */
  async count(key: string): Promise<void> {
    const begun = await this.begin(key);
    await begun.end('failed');
  }

  #end(key: string, id: string, ending: AttemptEnd): Promise<void> {
    return this.#ask((attempts) => attempts.end(key, id, ending));
  }

  #ask<T>(ask: (attempts: AttemptCounter) => Promise<T>): Promise<T> {
    return this.#fallback.run(
      () => ask(this.#shared),
      () => ask(this.#local),
    );
  }

  #tooMany(waitMs: number): AppError {
    const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
    return new AppError('rate_limited', `${this.#message}; try again in ${seconds} s`, {
      details: { retryAfterSeconds: seconds },
    });
  }
}
