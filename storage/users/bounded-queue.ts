import PQueue from 'p-queue';
import { AppError } from '../../compute/model/errors.js';

export interface BoundedQueueLimits {
  /** How many tasks run at the same time. */
  concurrency: number;
  /** How many tasks may wait; one more is refused at once. */
  mostWaiting: number;
  /** How long a task may wait before it is refused. */
  longestWaitMs: number;
}

/** Runs tasks in the order they came, with limits on how many run, how many wait, and for how long. */
export class BoundedQueue {
  readonly #queue: PQueue;
  readonly #limits: BoundedQueueLimits;

  constructor(limits: BoundedQueueLimits) {
    this.#limits = limits;
    this.#queue = new PQueue({ concurrency: limits.concurrency });
  }

  /** The result of the task. Throws `queue_full` when too many tasks wait, or this one has waited for too long. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    const { concurrency, mostWaiting, longestWaitMs } = this.#limits;
    if (this.#queue.pending >= concurrency && this.#queue.size >= mostWaiting) throw queueFull();
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(queueFull()), longestWaitMs);
    const start = () => {
      clearTimeout(timer);
      return task();
    };
    return this.#queue.add(start, { signal: waiting.signal });
  }
}

const queueFull = () =>
  new AppError('queue_full', 'too many are signing in; try again in a moment', {
    details: { retryAfterSeconds: 2 },
  });
