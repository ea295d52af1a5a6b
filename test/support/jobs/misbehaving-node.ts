import type { AnyJob } from '../../../jobs/definitions/index.js';
import type { JobTools } from '../../../jobs/job.js';
import { computeTools } from '../../../jobs/node/node-tools.js';
import { JobWorker, type WorkerOptions } from '../../../jobs/node/job-worker.js';
import { openLog, type Log } from '../../../storage/process/log.js';
import { connected, openRedis, patient } from '../../../storage/servers/redis.js';
import { openMisbehavingPool } from './misbehaving-pool.js';

export interface MisbehavingNodeOptions extends Pick<
  WorkerOptions<JobTools>,
  'drainMs' | 'metrics' | 'tracing'
> {
  threads?: number;
  log?: Log;
}

/** A compute node without candles and MongoDB, whose threads do what its jobs tell them. */
export interface MisbehavingNode {
  worker: JobWorker;
  close: () => Promise<void>;
}

export async function openMisbehavingNode(
  redisUrl: string,
  jobs: readonly AnyJob[],
  { threads = 1, log = openLog({ LOG_LEVEL: 'silent' }, 'test'), ...rest }: MisbehavingNodeOptions = {},
): Promise<MisbehavingNode> {
  const threadPool = openMisbehavingPool({ threads });
  const redis = openRedis(redisUrl, patient);
  await connected(redis);
  const pools = { interactive: threadPool.pool, background: threadPool.pool };
  const tools = computeTools({ pools, log, storage: {}, candles: {} } as never);
  const worker = new JobWorker({ ...rest, redis, jobs, tools, resultBytes: 2 ** 24 });
  await worker.ready();
  return {
    worker,
    async close() {
      await worker.close();
      await threadPool.close();
      redis.disconnect();
    },
  };
}
