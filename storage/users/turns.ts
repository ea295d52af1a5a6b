import { AppError } from '../../compute/model/errors.js';

/** Lets a few pieces of work run at once, in the order they came; the rest wait, up to a number of them, for a while. */
export class Turns {
  readonly #atOnce: number;
  readonly #mostWaiting: number;
  readonly #longestWaitMs: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number, mostWaiting: number, longestWaitMs: number) {
    this.#atOnce = atOnce;
    this.#mostWaiting = mostWaiting;
    this.#longestWaitMs = longestWaitMs;
  }

  /** What the work answers, when its turn has come. Throws `queue_full` where too many wait, or for too long. */
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
    if (this.#waiting.length >= this.#mostWaiting) throw tooMany();
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1);
        reject(tooMany());
      }, this.#longestWaitMs);
      this.#waiting.push(begin);
    });
  }
}

const tooMany = () =>
  new AppError('queue_full', 'too many are signing in; try again in a moment', {
    details: { retryAfterSeconds: 2 },
  });
