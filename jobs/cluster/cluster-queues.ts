import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { allQueueNames, roleOfQueue } from '../../storage/cluster/queues.js';
import { ScheduleQueue } from '../schedules/worker/schedule-queue.js';

/** All queues that operators see, those of schedules and signals included. */
export const shownQueues: readonly string[] = allQueueNames;

export interface OpenQueues {
  /** Each queue as it is on each Redis that holds it. */
  queues: readonly (readonly Queue[])[];
  schedules: ScheduleQueue;
}

/**
 * The queues of a cluster, opened at the first use. A BullMQ queue asks for the version of Redis once and never recovers when
 * that fails: then the queues are opened again.
 */
export class ClusterQueues {
  readonly #redis: Redis;
  readonly #others: readonly Redis[];
  #opened: OpenQueues | undefined;

  /** `others` hold requests, too. */
  constructor(redis: Redis, others: readonly Redis[]) {
    this.#redis = redis;
    this.#others = others;
  }

  /** The queues, ready for use. Throws what the connection throws. */
  async open(): Promise<OpenQueues> {
    const opened = (this.#opened ??= openQueues(this.#redis, this.#others));
    try {
      await Promise.all([
        ...opened.queues.flat().map((queue) => queue.waitUntilReady()),
        opened.schedules.ready(),
      ]);
      return opened;
    } catch (error) {
      if (this.#opened === opened) {
        this.#opened = undefined;
        void closeQueues(opened);
      }
      throw error;
    }
  }

  async close(): Promise<void> {
    if (this.#opened) await closeQueues(this.#opened);
  }
}

function openQueues(redis: Redis, others: readonly Redis[]): OpenQueues {
  const queues = allQueueNames.map((name) =>
    [redis, ...(roleOfQueue(name) === 'compute' ? others : [])].map((connection) => {
      const queue = new Queue(name, { connection, skipWaitingForReady: true });
      queue.on('error', () => undefined);
      return queue;
    }),
  );
  return { queues, schedules: new ScheduleQueue(redis) };
}

const closeQueues = ({ queues, schedules }: OpenQueues) =>
  Promise.allSettled([...queues.flat().map((queue) => queue.close()), schedules.close()]);
