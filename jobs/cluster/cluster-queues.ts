import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { allQueueNames } from '../../storage/cluster/queues.js';
import { ScheduleQueue } from '../schedules/worker/schedule-queue.js';

/** All queues that operators see, those of schedules and signals included. */
export const shownQueues: readonly string[] = allQueueNames;

export interface OpenQueues {
  queues: readonly Queue[];
  schedules: ScheduleQueue;
}

/**
 * The queues of a cluster, opened at the first use. A BullMQ queue asks for the version of Redis once and never recovers when
 * that fails: then the queues are opened again.
 */
export class ClusterQueues {
  readonly #redis: Redis;
  #opened: OpenQueues | undefined;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** The queues, ready for use. Throws what the connection throws. */
  async open(): Promise<OpenQueues> {
    const opened = (this.#opened ??= openQueues(this.#redis));
    try {
      await Promise.all([...opened.queues.map((queue) => queue.waitUntilReady()), opened.schedules.ready()]);
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

function openQueues(redis: Redis): OpenQueues {
  const queues = shownQueues.map((name) => {
    const queue = new Queue(name, { connection: redis, skipWaitingForReady: true });
    queue.on('error', () => undefined);
    return queue;
  });
  return { queues, schedules: new ScheduleQueue(redis) };
}

const closeQueues = ({ queues, schedules }: OpenQueues) =>
  Promise.allSettled([...queues.map((queue) => queue.close()), schedules.close()]);
