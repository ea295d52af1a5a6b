import type { Queue } from 'bullmq';
import { AppError } from '../../compute/model/errors.js';

const countAgainMs = 50;

/** How many jobs may wait in a queue. Counting costs a round trip, so it is done now and then. */
export class DepthLimit {
  readonly #queue: Pick<Queue, 'getJobCountByTypes'>;
  readonly #depthLimit: number;
  #counting: Promise<void> = Promise.resolve();
  /** Jobs as last counted, and put in since. */
  #waiting = 0;
  #countedAt = -Infinity;

  constructor(queue: Pick<Queue, 'getJobCountByTypes'>, depthLimit: number) {
    this.#queue = queue;
    this.#depthLimit = depthLimit;
  }

  /** Takes a place for one more. Throws `queue_full` when as many wait as may. */
  async take(): Promise<void> {
    const now = performance.now();
    if (now - this.#countedAt > countAgainMs) {
      this.#countedAt = now;
      // One count for all who ask meanwhile: each of them adds to it.
      this.#counting = this.#queue
        .getJobCountByTypes('wait', 'prioritized')
        .then((count) => void (this.#waiting = count));
    }
    await this.#counting;
    if (this.#waiting >= this.#depthLimit) throw this.full();
    this.#waiting++;
  }

  /** The refusal when so many more wait to be put in. */
  full(unsent = 0): AppError {
    const count = this.#waiting + unsent;
    return new AppError('queue_full', `${count} jobs wait already; try again in a moment`);
  }
}
