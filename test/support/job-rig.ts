import { Queue } from 'bullmq';
import type { AnyJob } from '../../jobs/definitions/index.js';
import { JobQueues } from '../../jobs/queue.js';
import { queueNames, type Job, type QueueName } from '../../jobs/job.js';
import { JobWorker } from '../../jobs/worker.js';
import { openLog } from '../../storage/log.js';
import { connected, openRedis, patient } from '../../storage/redis.js';
import { openMisbehavingPool } from './misbehaving-pool.js';
import { freshRedisUrl } from './servers.js';
import { until } from './until.js';

export interface JobRigOptions {
  // Tests define jobs of every kind.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  jobs: readonly Job<string, any, any>[];
  workers?: number;
  gateways?: number;
  threads?: number;
  depthLimit?: number;
}

/** Gateways' ends of the queues and workers on an own Redis database, without HTTP and MongoDB. */
export interface JobRig {
  redisUrl: string;
  gateways: JobQueues[];
  workers: JobWorker[];
  addWorker: (options: { threads: number }) => Promise<void>;
  /** How many jobs wait and run. */
  counts: (name: QueueName) => Promise<{ wait: number; active: number }>;
  /** Resolves when nothing waits and nothing runs. */
  idle: (withinMs?: number) => Promise<void>;
  close: () => Promise<void>;
}

export async function openJobRig({
  jobs,
  workers: workerCount = 1,
  gateways: gatewayCount = 1,
  threads = 2,
  depthLimit = 1_000,
}: JobRigOptions): Promise<JobRig> {
  const redisUrl = await freshRedisUrl();
  const redis = openRedis(redisUrl, patient);
  await connected(redis);
  const queues = new Map(queueNames.map((name) => [name, new Queue(name, { connection: redis })]));
  const opened: ReturnType<typeof openMisbehavingPool>[] = [];
  const workers: JobWorker[] = [];
  const addWorker: JobRig['addWorker'] = async (options) => {
    const threadPool = openMisbehavingPool(options);
    const { pool } = threadPool;
    const pools = { interactive: pool, background: pool };
    const tools = { pools, log: openLog({ LOG_LEVEL: 'silent' }, 'test'), storage: {}, candles: {} };
    const worker = new JobWorker({
      redis,
      jobs: jobs as readonly AnyJob[],
      tools: tools as never,
      resultBytes: 2 ** 24,
    });
    opened.push(threadPool);
    workers.push(worker);
    await worker.ready();
  };
  for (let n = 0; n < workerCount; n++) await addWorker({ threads });
  const gateways = await Promise.all(
    Array.from({ length: gatewayCount }, () => JobQueues.open(redisUrl, { depthLimit })),
  );

  const counts: JobRig['counts'] = async (name) => {
    const { wait, prioritized, active } = await queues
      .get(name)!
      .getJobCounts('wait', 'prioritized', 'active');
    return { wait: wait + prioritized, active };
  };
  return {
    redisUrl,
    gateways,
    workers,
    addWorker,
    counts,
    async idle(withinMs = 3_000) {
      const isIdle = async (name: QueueName) => {
        const { wait, active } = await counts(name);
        return wait + active === 0;
      };
      await until(
        'empty queues',
        async () => (await Promise.all(queueNames.map(isIdle))).every(Boolean),
        withinMs,
      );
    },
    async close() {
      for (const gateway of gateways) await gateway.close();
      await Promise.all(workers.map((worker) => worker.close()));
      for (const pool of opened) await pool.close();
      for (const queue of queues.values()) await queue.close();
      redis.disconnect();
    },
  };
}
