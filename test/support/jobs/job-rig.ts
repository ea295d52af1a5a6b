import { Queue } from 'bullmq';
import type { AnyJob } from '../../../jobs/definitions/index.js';
import { JobClient } from '../../../jobs/requests/job-client.js';
import type { Job } from '../../../jobs/job.js';
import { queueNames, type QueueName } from '../../../storage/cluster/queues.js';
import type { JobWorker } from '../../../jobs/node/job-worker.js';
import { openLog, type Log } from '../../../storage/process/log.js';
import type { Metrics } from '../../../storage/process/metrics.js';
import { connected, openRedis, patient } from '../../../storage/servers/redis.js';
import type { Tracing } from '../../../storage/process/tracing.js';
import { openMisbehavingNode } from './misbehaving-node.js';
import type { TestNode } from './test-node.js';
import { freshRedisUrl } from '../servers/servers.js';
import { until } from '../process/until.js';

export interface JobRigOptions {
  // Tests define jobs of every kind.
  // oxlint-disable-next-line typescript/no-explicit-any
  jobs: readonly Job<string, any, any>[];
  workers?: number;
  gateways?: number;
  threads?: number;
  depthLimit?: number;
  /** What the gateways and workers count in, in their order. */
  gatewayMetrics?: readonly Metrics[];
  workerMetrics?: readonly Metrics[];
  /** Traces what all of them do. */
  tracing?: Tracing;
  /** The log of the workers. */
  log?: Log;
}

/** Gateways' ends of the queues and workers on an own Redis database, without HTTP and MongoDB. */
export interface JobRig {
  redisUrl: string;
  gateways: JobClient[];
  workers: JobWorker[];
  addWorker: (options: { threads: number; drainMs?: number }) => Promise<void>;
  /** How many jobs wait and run. */
  counts: (name: QueueName) => Promise<{ wait: number; active: number }>;
  /** Resolves when nothing waits and nothing runs. */
  idle: () => Promise<void>;
  close: () => Promise<void>;
}

export async function openJobRig({
  jobs,
  workers: workerCount = 1,
  gateways: gatewayCount = 1,
  threads = 2,
  depthLimit = 1_000,
  gatewayMetrics = [],
  workerMetrics = [],
  tracing,
  log = openLog({ LOG_LEVEL: 'silent' }, 'test'),
}: JobRigOptions): Promise<JobRig> {
  const redisUrl = await freshRedisUrl();
  const redis = openRedis(redisUrl, patient);
  await connected(redis);
  const queues = new Map(queueNames.map((name) => [name, new Queue(name, { connection: redis })]));
  const nodes: TestNode[] = [];
  const workers: JobWorker[] = [];
  const addWorker: JobRig['addWorker'] = async (options) => {
    const counting = { metrics: workerMetrics[workers.length], tracing, log };
    const node = await openMisbehavingNode(redisUrl, jobs as readonly AnyJob[], { ...options, ...counting });
    nodes.push(node);
    workers.push(node.worker);
  };
  for (let n = 0; n < workerCount; n++) await addWorker({ threads });
  const gateways = await Promise.all(
    Array.from({ length: gatewayCount }, (_, n) =>
      JobClient.open(redisUrl, { depthLimit, metrics: gatewayMetrics[n], tracing }),
    ),
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
    async idle() {
      const isIdle = async (name: QueueName) => {
        const { wait, active } = await counts(name);
        return wait + active === 0;
      };
      await until('empty queues', async () => (await Promise.all(queueNames.map(isIdle))).every(Boolean));
    },
    async close() {
      for (const gateway of gateways) await gateway.close();
      await Promise.all(nodes.map((node) => node.close()));
      for (const queue of queues.values()) await queue.close();
      redis.disconnect();
    },
  };
}
