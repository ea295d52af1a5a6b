import type { Redis } from 'ioredis';

const readAgainMs = 30_000;
/** Of so many readings the one counts that took the shortest: it says best when it was made. */
const readings = 3;
/** What took longer on its way changes nothing that is known. */
const longestTripMs = 100;

/**
 * The time by the clock of Redis: the same for all processes, however the clocks of their machines differ or are set. It
 * goes on by itself while Redis is away.
 */
export class RedisClock {
  readonly #redis: Redis;
  readonly #reading: NodeJS.Timeout;
  /** The time of Redis less that of performance.now(); until it is known, that of this machine. */
  #offsetMs = Date.now() - performance.now();
  #isKnown = false;
  #asking: Promise<void> | null = null;

  constructor(redis: Redis) {
    this.#redis = redis;
    this.#reading = setInterval(() => void this.read(), readAgainMs).unref();
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return performance.now() + this.#offsetMs;
  }

  /** Asks Redis for its time. Never rejects: where Redis is away it stays as it is. */
  read(): Promise<void> {
    // One at a time: they would pile up while Redis is away.
    this.#asking ??= this.#ask().finally(() => (this.#asking = null));
    return this.#asking;
  }

  async #ask(): Promise<void> {
    let shortestMs = this.#isKnown ? longestTripMs : Infinity;
    for (let n = 0; n < readings; n++) {
      const asked = performance.now();
      const time = await this.#redis.time().catch(() => null);
      if (time === null) continue;
      const heard = performance.now();
      const [seconds, microseconds] = time.map(Number);
      const offsetMs = seconds * 1_000 + microseconds / 1_000 - (asked + heard) / 2;
      const tripMs = heard - asked;
      // Redis read its clock between the two: an offset further off than that is wrong, however long the way was.
      const isDisproved = Math.abs(offsetMs - this.#offsetMs) > tripMs / 2;
      if (tripMs >= shortestMs && !isDisproved) continue;
      this.#offsetMs = offsetMs;
      shortestMs = Math.min(shortestMs, tripMs);
      this.#isKnown = true;
    }
  }

  close(): void {
    clearInterval(this.#reading);
  }
}
