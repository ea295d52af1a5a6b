import type { Queue } from 'bullmq';
import { AppError } from '../../compute/model/errors.js';

/** How long (ms) a count is used. */
const recountMs = 50;

/** Limits how many jobs wait in a queue. Counting is a round trip to Redis, so jobs are counted now and then. */
export class DepthLimit {
  readonly #queue: Pick<Queue, 'getJobCountByTypes'>;
  readonly #depthLimit: number;
  #counting: Promise<void> = Promise.resolve();
  /** The jobs of the last count, and those added since. */
  #waiting = 0;
  #countedAt = -Infinity;

  constructor(queue: Pick<Queue, 'getJobCountByTypes'>, depthLimit: number) {
    this.#queue = queue;
    this.#depthLimit = depthLimit;
  }

  /** Starts a count when the last one is too old, so that `take` need not wait for it. */
  refresh(): void {
    const now = performance.now();
    if (now - this.#countedAt <= recountMs) return;
    this.#countedAt = now;
    this.#counting = this.#queue
      .getJobCountByTypes('wait', 'prioritized')
      .then((count) => void (this.#waiting = count));
    // `take` throws the error.
    this.#counting.catch(() => undefined);
  }

  /** Counts one more job. Throws `queue_full` when the limit is reached, and what the connection throws. */
  async take(): Promise<void> {
    this.refresh();
    await this.#counting;
    if (this.#waiting >= this.#depthLimit) throw this.full();
    this.#waiting++;
  }

  /** The error of a full queue, when `unsent` more jobs wait in this gateway. */
  full(unsent = 0): AppError {
    const count = this.#waiting + unsent;
    return new AppError('queue_full', `${count} jobs wait already; try again in a moment`);
  }
}
