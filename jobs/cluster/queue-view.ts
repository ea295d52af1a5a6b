import type { Queue } from 'bullmq';
import type { DeadLetter } from '../../storage/cluster/dead-letters.js';
import { countWorkers, type SeenNode } from '../../storage/cluster/nodes.js';

/** How much there is to do in a queue. */
export interface QueueView {
  name: string;
  /** Processes alive that take from it. */
  nodes: number;
  waiting: number;
  active: number;
  delayed: number;
  /** Dead letters of this queue. */
  failed: number;
  /** How long the longest waiting job has waited; null where none does. */
  oldestWaitMs: number | null;
}

/** Of the waiting jobs, those looked at for the oldest: priorities may have put it behind others. */
const lookedAt = 50;

/** How a queue stands now, by what is known of the processes and the dead letters. */
export async function viewQueue(
  queue: Queue,
  nodes: readonly SeenNode[],
  dead: readonly DeadLetter[],
): Promise<QueueView> {
  const counts = await queue.getJobCounts('wait', 'prioritized', 'active', 'delayed');
  const { wait, prioritized, active, delayed } = counts;
  const first = [
    ...(wait > 0 ? await queue.getWaiting(0, 0) : []),
    ...(prioritized > 0 ? await queue.getPrioritized(0, lookedAt - 1) : []),
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
