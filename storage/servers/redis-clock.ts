import type { Redis } from 'ioredis';

const readAgainMs = 30_000;
/** Of this many first readings the one with the shortest round trip counts, because it is the most exact. */
const readings = 3;
/** A reading with a longer round trip than this does not replace a known offset. */
const longestTripMs = 100;

/**
 * The time by the clock of Redis: the same for all processes, even if the clocks of their machines differ or are changed.
 * It keeps running on the monotonic clock of the process while Redis is unavailable.
 */
export class RedisClock {
  readonly #redis: Redis;
  readonly #timer: NodeJS.Timeout;
  /** The time of Redis minus performance.now(). Until the first reading it is taken from the clock of this machine. */
  #offsetMs = Date.now() - performance.now();
  #isKnown = false;
  #pending: Promise<void> | null = null;

  constructor(redis: Redis) {
    this.#redis = redis;
    this.#timer = setInterval(() => void this.read(), readAgainMs).unref();
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return performance.now() + this.#offsetMs;
  }

  /** Reads the time of Redis. Never rejects: while Redis is unavailable the offset stays as it is. */
  read(): Promise<void> {
    // One reading at a time: they would pile up while Redis is unavailable.
    this.#pending ??= this.#measure().finally(() => (this.#pending = null));
    return this.#pending;
  }

  async #measure(): Promise<void> {
    let shortestMs = this.#isKnown ? longestTripMs : Infinity;
    // Once a reading is known, one more corrects the drift of the clock of this machine.
    for (let n = this.#isKnown ? readings - 1 : 0; n < readings; n++) {
      const sentAt = performance.now();
      const time = await this.#redis.time().catch(() => null);
      if (time === null) continue;
      const receivedAt = performance.now();
      const [seconds, microseconds] = time.map(Number);
      const offsetMs = seconds * 1_000 + microseconds / 1_000 - (sentAt + receivedAt) / 2;
      const tripMs = receivedAt - sentAt;
      // Redis read its clock during the round trip, so a known offset outside that range is wrong, even after a slow trip.
      const isDisproved = Math.abs(offsetMs - this.#offsetMs) > tripMs / 2;
      if (tripMs >= shortestMs && !isDisproved) continue;
      this.#offsetMs = offsetMs;
      shortestMs = Math.min(shortestMs, tripMs);
      this.#isKnown = true;
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
