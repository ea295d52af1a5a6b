import { setTimeout as pause } from 'node:timers/promises';
import { JobClient } from '../../jobs/requests/job-client.js';
import { computeTools } from '../../jobs/node/node-tools.js';
import { JobWorker } from '../../jobs/node/job-worker.js';
import type { AnyJob } from '../../jobs/definitions/index.js';
import { openLog } from '../../storage/process/log.js';
import { connected, openRedis, patient } from '../../storage/servers/redis.js';
import { onCluster, traceId, type BenchCluster } from './bench-cluster.js';
import { spinJob, waitJob } from './bench-jobs.js';
import { printTable } from './measure.js';

const spinMs = 5;
const waitMs = 50;
const threadsOfNode = 2;
const sizes = [1, 2, 4, 8, 16, 32, 64];

/** How much more is done with more nodes: as processes that compute, and simulated, with tasks that only wait. */
export const benchScale = (seconds = 5): Promise<void> =>
  onCluster(
    async (cluster) => {
      await benchProcesses(cluster, seconds);
      await cluster.nodes[0].stop();
      await cluster.nodes[1].stop();
      await benchSimulated(cluster, seconds);
    },
    { threads: 1, pairs: 0 },
  );

/** Answers a second, with as many callers as keep every thread busy. */
async function throughput(callers: number, seconds: number, ask: () => Promise<unknown>): Promise<number> {
  const over = Date.now() + seconds * 1_000;
  let done = 0;
  const caller = async () => {
    while (Date.now() < over) {
      await ask();
      if (Date.now() < over) done++;
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return done / seconds;
}

async function benchProcesses({ queues, addNode }: BenchCluster, seconds: number): Promise<void> {
  let n = 0;
  const measure = () =>
    throughput(64, seconds, () => queues.run(spinJob, { n: n++, ms: spinMs }, { traceId }));
  const one = await measure();
  await addNode();
  await measure();
  const two = await measure();
  printTable(`node processes of one thread, tasks of ${spinMs} ms CPU`, [
    ['nodes', 'tasks/s', 'efficiency'],
    ['1', one.toFixed(0), ''],
    ['2', two.toFixed(0), percent(two / (2 * one))],
  ]);
}

async function benchSimulated({ redisUrl }: BenchCluster, seconds: number): Promise<void> {
  const rows = [['nodes', 'tasks/s', 'possible', 'efficiency', 'of the step before']];
  const nodes: SimulatedNode[] = [];
  const queues = await JobClient.open(redisUrl, { depthLimit: 10_000 });
  let n = 0;
  let before = 0;
  for (const size of sizes) {
    while (nodes.length < size) nodes.push(await SimulatedNode.start(redisUrl));
    const possible = (size * threadsOfNode * 1_000) / waitMs;
    const ask = () => queues.run(waitJob, { n: n++, ms: waitMs }, { traceId, owner: String(n % 50) });
    const rate = await throughput(size * threadsOfNode * 2, seconds, ask);
    const step = before === 0 ? '' : percent(rate / (2 * before));
    rows.push([String(size), rate.toFixed(0), possible.toFixed(0), percent(rate / possible), step]);
    before = rate;
    await pause(100);
  }
  await queues.close();
  await Promise.all(nodes.map((node) => node.close()));
  printTable(`simulated nodes of ${threadsOfNode} threads, tasks that wait ${waitMs} ms`, rows);
}

/** A node in this process, whose tasks wait and take no thread. */
class SimulatedNode {
  readonly #worker: JobWorker;
  readonly #disconnect: () => void;

  private constructor(worker: JobWorker, disconnect: () => void) {
    this.#worker = worker;
    this.#disconnect = disconnect;
  }

  static async start(redisUrl: string): Promise<SimulatedNode> {
    const redis = openRedis(redisUrl, patient);
    await connected(redis);
    const threads = { threads: threadsOfNode };
    const log = openLog({ LOG_LEVEL: 'silent' }, 'bench');
    const worker = new JobWorker({
      redis,
      jobs: [waitJob] as readonly AnyJob[],
      tools: computeTools({ log, pools: { interactive: threads, background: threads } } as never),
      resultBytes: 2 ** 20,
      queues: ['backtest'],
    });
    await worker.ready();
    return new SimulatedNode(worker, () => redis.disconnect());
  }

  async close(): Promise<void> {
    await this.#worker.close();
    this.#disconnect();
  }
}

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;
