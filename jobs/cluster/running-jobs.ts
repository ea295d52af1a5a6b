import type { Redis } from 'ioredis';
import { AppError } from '../../compute/model/errors.js';
import type { RunningJob, SeenNode } from '../../storage/cluster/nodes.js';
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
