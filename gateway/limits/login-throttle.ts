import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { AttemptEnd } from '../../storage/users/attempt-counter.js';
import { loginKeys, signUpKey } from '../../storage/users/login-keys.js';
import type { Settings } from '../../storage/process/settings.js';
import { AttemptLimit, twentyAnHour, type StartedAttempt } from './attempt-limit.js';

const minuteMs = 60_000;
const delays = { windowMs: 15 * minuteMs, firstDelayMs: minuteMs, longestDelayMs: 15 * minuteMs };

/** After this many failures of an account, from all addresses together, each further failure delays its sign-ins more. */
const calmFailures = 20;
const slowerMs = 100;
const slowestMs = 2_000;

export interface SignInAttempt {
  email: string;
  address: string;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
}

/**
 * Slows down password guessing. Failures are limited per account and address, and per address. Failures of an account from
 * all addresses only delay its sign-ins, so that an attacker can't lock the owner out.
 */
export class LoginThrottle {
  readonly #accountAndAddress: AttemptLimit;
  readonly #address: AttemptLimit;
  readonly #account: AttemptLimit;
  readonly #signUps: AttemptLimit;

  constructor(redis: Redis, settings: Pick<Settings, 'LOGIN_FAILURES' | 'LOGIN_FAILURES_ADDRESS'>) {
    const { LOGIN_FAILURES, LOGIN_FAILURES_ADDRESS } = settings;
    const message = 'too many failed sign-ins';
    this.#accountAndAddress = new AttemptLimit(redis, { ...delays, limit: LOGIN_FAILURES }, message);
    this.#address = new AttemptLimit(redis, { ...delays, limit: LOGIN_FAILURES_ADDRESS }, message);
    this.#account = new AttemptLimit(redis, { ...delays, limit: Number.MAX_SAFE_INTEGER }, message);
    this.#signUps = new AttemptLimit(redis, twentyAnHour, 'too many sign-ups');
  }

  /**
   * The result of `check`, where null counts as a failure and an error as neither success nor failure. A success clears the
   * failures of this account from this address. Throws `rate_limited`, without calling `check`, after too many failures.
   */
  async attempt<T>(
    { email, address, signal }: SignInAttempt,
    check: () => Promise<T | null>,
  ): Promise<T | null> {
    const begun: StartedAttempt[] = [];
    let ending: AttemptEnd = 'released';
    try {
      begun.push(await this.#accountAndAddress.begin(loginKeys.both(email, address), signal));
      begun.push(await this.#address.begin(loginKeys.address(address), signal));
      const account = await this.#account.begin(loginKeys.account(email), signal);
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

  /** Counts a sign-up. Throws `rate_limited` if the address has had too many. */
  countSignUp(address: string): Promise<void> {
    return this.#signUps.count(signUpKey(address));
  }
}

/** Delays an attempt. The delay ends early if the client disconnects; the attempt is still checked and counted. */
async function slowDown(failures: number, signal: AbortSignal): Promise<void> {
  const ms = Math.min(slowestMs, slowerMs * (failures - calmFailures));
  if (ms > 0) await pause(ms, undefined, { signal }).catch(() => undefined);
}
