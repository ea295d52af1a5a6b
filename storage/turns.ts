import { AppError } from '../compute/model/errors.js';

/** Lets a few pieces of work run at once, in the order they came; the rest wait, up to a number of them. */
export class Turns {
  readonly #atOnce: number;
  readonly #mostWaiting: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number, mostWaiting: number) {
    this.#atOnce = atOnce;
    this.#mostWaiting = mostWaiting;
  }

  /** What the work answers, when its turn has come. Throws `queue_full` at once where too many wait. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#atOnce) this.#running++;
    else await this.#wait();
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The place goes on to who comes next, without being free in between.
      if (next) next();
      else this.#running--;
    }
  }

  #wait(): Promise<void> {
    if (this.#waiting.length >= this.#mostWaiting) {
      throw new AppError('queue_full', 'too many are signing in; try again in a moment', {
        details: { retryAfterSeconds: 2 },
      });
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
