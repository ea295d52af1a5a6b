import type { Job, Queue } from 'bullmq';
import type { DeadLetter } from '../../storage/cluster/dead-letters.js';
import { countWorkers, type SeenNode } from '../../storage/cluster/nodes.js';

export interface QueueView {
  name: string;
  /** Live processes that take from it. */
  nodes: number;
  waiting: number;
  active: number;
  delayed: number;
  /** Dead letters of this queue. */
  failed: number;
  /** How long the oldest waiting job has waited, in ms; null when no job waits. */
  oldestWaitMs: number | null;
}

/** How many waiting jobs are read to find the oldest, which is not the first when jobs have priorities. */
const readCount = 50;

/** The state of a queue now, on all Redis that hold it, given the processes and dead letters of the cluster. */
export async function viewQueue(
  queues: readonly Queue[],
  nodes: readonly SeenNode[],
  dead: readonly DeadLetter[],
): Promise<QueueView> {
  const counts = { wait: 0, prioritized: 0, active: 0, delayed: 0 };
  const first: Job[] = [];
  for (const queue of queues) {
    const own = await queue.getJobCounts('wait', 'prioritized', 'active', 'delayed');
    for (const state of Object.keys(counts) as (keyof typeof counts)[]) counts[state] += own[state];
    if (own.wait > 0) first.push(...(await queue.getWaiting(0, 0)));
    if (own.prioritized > 0) first.push(...(await queue.getPrioritized(0, readCount - 1)));
  }
  const { wait, prioritized, active, delayed } = counts;
  const [{ name }] = queues;
  const now = Date.now();
  const waits = first.map(({ timestamp, delay }) => Math.max(0, now - timestamp - delay));
  return {
    name,
    nodes: countWorkers(name, nodes),
    waiting: wait + prioritized,
    active,
    delayed,
    failed: dead.filter((letter) => letter.queue === name).length,
    oldestWaitMs: waits.length === 0 ? null : Math.max(...waits),
  };
}
