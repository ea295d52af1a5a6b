import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { registrationKey } from '../../storage/users/login-keys.js';
import { AttemptLimit } from './attempt-limit.js';

const minuteMs = 60_000;
const hourly = {
  limit: 20,
  windowMs: 60 * minuteMs,
  firstDelayMs: 10 * minuteMs,
  longestDelayMs: 60 * minuteMs,
};

/** Limits the OAuth clients that a network registers: 20 an hour. */
export class RegistrationLimit {
  readonly #registrations: AttemptLimit;

  /** `redis` is a connection with a short time limit. */
  constructor(redis: Redis) {
    this.#registrations = new AttemptLimit(redis, hourly, 'too many registrations of apps');
  }

  /** Counts a registration. Throws `rate_limited` if the network has had too many. */
  async count(address: string): Promise<void> {
    const begun = await this.#registrations.begin(registrationKey(address), randomUUID());
    await begun.end('failed');
  }
}
