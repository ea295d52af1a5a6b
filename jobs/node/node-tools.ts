import { queues, type QueueName } from '../../storage/cluster/queues.js';
import type { Log } from '../../storage/process/log.js';
import type { JobTools } from '../job.js';
import type { ThreadPool } from './pool.js';
import { AppError } from '../../compute/model/errors.js';

/** A pool without threads, for a node whose queues do not need one. It refuses every task with `thread_failed`. */
export const noThreads: ThreadPool = {
  threads: 0,
  busy: 0,
  waiting: 0,
  run: refuse,
  runToText: refuse,
  close: async () => undefined,
};

async function refuse(name: string): Promise<never> {
  throw new AppError('thread_failed', `"${name}" came to a node without threads for it`);
}

/** The threads of a compute node. Long work has threads of its own, so that it does not delay short work. */
export interface ThreadPools {
  interactive: ThreadPool;
  background: ThreadPool;
}

/** What a process provides for the jobs that it takes. */
export interface NodeTools<Tools> {
  log: Log;
  /** What a job of the queue is given. */
  toolsFor: (queue: QueueName) => Tools;
  /** How many batches of the queue the process takes at a time. */
  concurrencyOf: (queue: QueueName) => number;
}

/** The tools of a compute node: each job runs in the threads of its queue. */
export function computeTools({
  pools,
  ...rest
}: Omit<JobTools, 'pool'> & { pools: ThreadPools }): NodeTools<JobTools> {
  const poolOf = (queue: QueueName) => {
    const { threads } = queues[queue];
    return threads === 'none' ? noThreads : pools[threads];
  };
  return {
    log: rest.log,
    toolsFor: (queue) => ({ ...rest, pool: poolOf(queue) }),
    // A batch of many small requests keeps only few threads busy at its end, so the next batch runs beside it.
    concurrencyOf: (queue) => poolOf(queue).threads * (queues[queue].batchShare === 1 ? 1 : 2),
  };
}
