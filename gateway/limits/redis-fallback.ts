import { AppError } from '../../compute/model/errors.js';

/** How long Redis is skipped after a failure: requests wait for its timeout at most once in this time. */
const skipMs = 1_000;

/** Runs work against Redis, and for a second after each failure of Redis against this process's own memory. */
export class RedisFallback {
  #skipUntil = 0;

  /** Whether Redis has just failed and is skipped. */
  isActive(now: number): boolean {
    return now < this.#skipUntil;
  }

  /**
   * The result of `shared`, or of `local` if Redis is skipped or fails now. Throws what `local` throws, and `rate_limited`
   * from either.
   */
  async run<T>(shared: () => Promise<T>, local: () => Promise<T>): Promise<T> {
    if (this.isActive(Date.now())) return local();
    try {
      return await shared();
    } catch (error) {
      if (error instanceof AppError && error.code === 'rate_limited') throw error;
      this.#skipUntil = Date.now() + skipMs;
      return local();
    }
  }
}
