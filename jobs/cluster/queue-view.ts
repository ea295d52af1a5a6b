import type { Queue } from 'bullmq';
import type { DeadLetter } from '../../storage/cluster/dead-letters.js';
import { countWorkers, type SeenNode } from '../../storage/cluster/nodes.js';

/** The state of a queue. */
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

/** The state of a queue now, given the processes and dead letters of the cluster. */
export async function viewQueue(
  queue: Queue,
  nodes: readonly SeenNode[],
  dead: readonly DeadLetter[],
): Promise<QueueView> {
  const counts = await queue.getJobCounts('wait', 'prioritized', 'active', 'delayed');
  const { wait, prioritized, active, delayed } = counts;
  const first = [
    ...(wait > 0 ? await queue.getWaiting(0, 0) : []),
    ...(prioritized > 0 ? await queue.getPrioritized(0, readCount - 1) : []),
  ];
  const now = Date.now();
  const waits = first.map(({ timestamp, delay }) => Math.max(0, now - timestamp - delay));
  return {
    name: queue.name,
    nodes: countWorkers(queue.name, nodes),
    waiting: wait + prioritized,
    active,
    delayed,
    failed: dead.filter((letter) => letter.queue === queue.name).length,
    oldestWaitMs: waits.length === 0 ? null : Math.max(...waits),
  };
}
