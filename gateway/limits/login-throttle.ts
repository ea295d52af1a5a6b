import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { AttemptEnd } from '../../storage/users/attempt-counter.js';
import { loginKeys, signUpKey } from '../../storage/users/login-keys.js';
import type { Settings } from '../../storage/process/settings.js';
import { AttemptLimit, type Begun } from './attempt-limit.js';

const minuteMs = 60_000;
const delays = { windowMs: 15 * minuteMs, firstDelayMs: minuteMs, longestDelayMs: 15 * minuteMs };

/** Failures of an account, from wherever, after which its sign-ins take longer and longer. */
const calmFailures = 20;
const slowerMs = 100;
const slowestMs = 2_000;

/** Sign-ups of one address within an hour. */
const signUpsAnHour = 20;

/** Who tries to sign in, and until when they wait for it. */
export interface Trying {
  email: string;
  address: string;
  signal: AbortSignal;
}

/**
 * Holds up those who guess passwords: at one account from one address, at many accounts from one address, and, only by being
 * slow, at one account from many addresses, so that nobody can lock somebody else out.
 */
export class LoginThrottle {
  readonly #both: AttemptLimit;
  readonly #address: AttemptLimit;
  readonly #account: AttemptLimit;
  readonly #signUps: AttemptLimit;

  constructor(redis: Redis, settings: Pick<Settings, 'LOGIN_FAILURES' | 'LOGIN_FAILURES_ADDRESS'>) {
    const { LOGIN_FAILURES, LOGIN_FAILURES_ADDRESS } = settings;
    const message = 'too many failed sign-ins';
    this.#both = new AttemptLimit(redis, { ...delays, limit: LOGIN_FAILURES }, message);
    this.#address = new AttemptLimit(redis, { ...delays, limit: LOGIN_FAILURES_ADDRESS }, message);
    this.#account = new AttemptLimit(redis, { ...delays, limit: Number.MAX_SAFE_INTEGER }, message);
    const hourly = { windowMs: 60 * minuteMs, firstDelayMs: 10 * minuteMs, longestDelayMs: 60 * minuteMs };
    this.#signUps = new AttemptLimit(redis, { ...hourly, limit: signUpsAnHour }, 'too many sign-ups');
  }

  /**
   * What `check` finds, where null is a failure. Throws `rate_limited`, and checks nothing, where there were too many. What
   * `check` throws counts as neither. A success forgets the failures at this account from this address.
   */
  async attempt<T>({ email, address, signal }: Trying, check: () => Promise<T | null>): Promise<T | null> {
    const id = randomUUID();
    const begun: Begun[] = [];
    let ending: AttemptEnd = 'released';
    try {
      begun.push(await this.#both.begin(loginKeys.both(email, address), id, signal));
      begun.push(await this.#address.begin(loginKeys.address(address), id, signal));
      const account = await this.#account.begin(loginKeys.account(email), id, signal);
      begun.push(account);
      await slowDown(account.failures, signal);
      const found = await check();
      ending = found === null ? 'failed' : 'succeeded';
      return found;
    } finally {
      await Promise.all(
        begun.map((each, i) => each.end(ending === 'succeeded' && i > 0 ? 'released' : ending)),
      );
    }
  }

  /** Counts a sign-up. Throws `rate_limited` where the address has had too many. */
  async countSignUp(address: string): Promise<void> {
    const begun = await this.#signUps.begin(signUpKey(address), randomUUID());
    await begun.end('failed');
  }
}

/** A client that goes meanwhile has had its attempt: what it wanted to know is still found out and counted. */
async function slowDown(failures: number, signal: AbortSignal): Promise<void> {
  const ms = Math.min(slowestMs, slowerMs * (failures - calmFailures));
  if (ms > 0) await pause(ms, undefined, { signal }).catch(() => undefined);
}
