import type { Redis } from 'ioredis';
import type { AnyJob } from '../../../jobs/definitions/index.js';
import type { JobTools } from '../../../jobs/job.js';
import { computeTools } from '../../../jobs/node/node-tools.js';
import { JobWorker, type WorkerOptions } from '../../../jobs/node/job-worker.js';
import type { ThreadPools } from '../../../jobs/node/node-tools.js';
import type { Log } from '../../../storage/process/log.js';
import { connected, openRedis, patient } from '../../../storage/servers/redis.js';

/** What a node of a test needs: its jobs, a log, and of the tools those that its jobs use. */
interface TestNodeOptions extends Partial<Omit<WorkerOptions<JobTools>, 'redis' | 'jobs' | 'tools'>> {
  redisUrl: string;
  jobs: readonly AnyJob[];
  log: Log;
  tools?: object;
  /** For jobs that take no thread, how many it says it has. */
  threads?: number;
  pools?: ThreadPools;
  /** How many jobs of a queue run at once. Default: as the threads allow. */
  concurrency?: number;
}

export interface TestNode {
  redis: Redis;
  worker: JobWorker;
  close: () => Promise<void>;
}

/** A compute node of some jobs, on a connection of its own. */
export async function openTestNode({
  redisUrl,
  jobs,
  log,
  tools = {},
  threads = 1,
  pools = { interactive: { threads }, background: { threads } } as never,
  concurrency,
  ...rest
}: TestNodeOptions): Promise<TestNode> {
  const redis = openRedis(redisUrl, patient);
  await connected(redis);
  const found = computeTools({ ...tools, pools, log } as never);
  const bounded = concurrency === undefined ? found : { ...found, concurrencyOf: () => concurrency };
  const worker = new JobWorker({ resultBytes: 2 ** 24, ...rest, redis, jobs, tools: bounded });
  await worker.ready();
  const close = async () => {
    await worker.close();
    redis.disconnect();
  };
  return { redis, worker, close };
}
