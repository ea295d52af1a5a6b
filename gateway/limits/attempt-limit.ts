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

/** After Redis has failed, it is left alone for this long: nobody waits for it twice. */
const avoidRedisMs = 1_000;
/** How long an attempt waits for others of its key to end, before it is refused. */
const longestWaitMs = 3_000;

/** What an attempt that has begun needs to know. */
export interface Begun {
  /** Failures of the key before it. */
  failures: number;
  end(ending: AttemptEnd): Promise<void>;
}

/** A limit on failed attempts over all gateways; while Redis is away each gateway counts for itself. */
export class AttemptLimit {
  readonly #shared: AttemptCounter;
  readonly #own: AttemptCounter;
  readonly #message: string;
  #avoidUntil = 0;

  /** `message` says what there were too many of. `redis` is a connection with a short time limit. */
  constructor(redis: Redis, rules: AttemptRules, message: string) {
    this.#shared = new SharedAttemptCounter(redis, rules);
    this.#own = new LocalAttemptCounter(rules);
    this.#message = message;
  }

  /**
   * Begins an attempt. Throws `rate_limited` where the key must wait. Where it depends on how attempts under way end, it
   * waits for them.
   */
  async begin(key: string, id: string, signal?: AbortSignal): Promise<Begun> {
    const started = Date.now();
    for (let pauseMs = 20; ; pauseMs *= 1.5) {
      const { outcome, waitMs, failures } = await this.#count((attempts) =>
        attempts.begin(key, id, Date.now()),
      );
      if (outcome === 'begun') return { failures, end: (ending) => this.#end(key, id, ending) };
      if (outcome === 'blocked') throw this.#tooMany(waitMs);
      if (Date.now() - started > longestWaitMs) throw this.#tooMany(1_000);
      await pause(pauseMs, undefined, signal && { signal }).catch((error: unknown) => {
        throw new AppError('cancelled', 'the client is gone', { cause: error });
      });
    }
  }

  #end(key: string, id: string, ending: AttemptEnd): Promise<void> {
    return this.#count((attempts) => attempts.end(key, id, ending, Date.now()));
  }

  async #count<T>(ask: (attempts: AttemptCounter) => Promise<T>): Promise<T> {
    if (Date.now() < this.#avoidUntil) return ask(this.#own);
    try {
      return await ask(this.#shared);
    } catch {
      this.#avoidUntil = Date.now() + avoidRedisMs;
      return ask(this.#own);
    }
  }

  #tooMany(waitMs: number): AppError {
    const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
    return new AppError('rate_limited', `${this.#message}; try again in ${seconds} s`, {
      details: { retryAfterSeconds: seconds },
    });
  }
}
