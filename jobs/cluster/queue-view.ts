import type { Job, Queue } from 'bullmq';
import type { DeadLetter } from '../../storage/cluster/dead-letters.js';
import { countWorkers, type SeenNode, type RunningJob } from '../../storage/cluster/nodes.js';
import type { Redis } from 'ioredis';
import { AppError } from '../../compute/model/errors.js';
import { publishCancel } from '../requests/node-messages.js';

/** A job that runs, and where. */
export interface RunningJobView extends RunningJob {
  /** Host and process id of the node, as in `host:4711`. */
  node: string;
}

/** The jobs that live nodes reported with their last heartbeat; those that run longest come first. */
export const runningJobs = (nodes: readonly SeenNode[]): RunningJobView[] =>
  nodes
    .filter(({ lost }) => !lost)
    .flatMap(({ jobs = [], host, pid }) => jobs.map((job) => ({ ...job, node: `${host}:${pid}` })))
    .sort((a, b) => b.ms - a.ms);

/** Ends a running job: its callers get `cancelled`. Throws `invalid_input` if no node reports it. */
export async function cancelRunningJob(
  redis: readonly Redis[],
  nodes: readonly SeenNode[],
  id: string,
): Promise<RunningJobView> {
  const job = runningJobs(nodes).find((each) => each.id === id);
  if (!job) {
    const message = `no job "${id}" runs: it may have ended`;
    throw new AppError('invalid_input', message, { details: { field: 'id' } });
  }
  const space = id.lastIndexOf(' ');
  await Promise.all(
    redis.map((each) => publishCancel(each, id.slice(0, space), Number(id.slice(space + 1)))),
  );
  return job;
}

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
