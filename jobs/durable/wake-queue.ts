import { Queue, type JobsOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import { signalQueueName } from '../../storage/cluster/queues.js';
import type { PartnerSlot } from '../../storage/signals/stored-execution.js';

/** `deliver`: signals to their subscribers; `advance`: executions. */
export type DurableWork = 'deliver' | 'advance';

/** The data of a job: this slot of a partner has due rows. The rows say what is to be done. */
export interface Wake extends PartnerSlot {
  work: DurableWork;
}

/** The queue that wakes workers. A lost job does no harm, because the sweeper adds it again. */
export class WakeQueue {
  readonly #queue: Queue<Wake, void>;

  /** `redis`: a connection that is ready. */
  constructor(redis: Redis) {
    this.#queue = new Queue<Wake, void>(signalQueueName, {
      connection: redis,
      skipWaitingForReady: true,
      streams: { events: { maxLen: 100 } },
    });
    this.#queue.on('error', () => undefined);
  }

  /**
   * Adds a job for each wake. At most one job of a slot waits, and one runs: a wake while it runs makes another one follow.
   * New jobs go to the end of the queue, so partners take turns.
   */
  async wake(wakes: readonly Wake[]): Promise<void> {
    if (wakes.length === 0) return;
    await this.#queue.addBulk(
      wakes.map((data) => ({ name: data.work, data, opts: { ...options, deduplication: onceOf(data) } })),
    );
  }

  close(): Promise<void> {
    return this.#queue.close();
  }
}

const options: JobsOptions = { removeOnComplete: true, removeOnFail: true };

const onceOf = ({ work, partnerId, slot }: Wake) => ({
  id: `${work} ${partnerId} ${slot}`,
  keepLastIfActive: true,
});
