import { withBenchService } from './bench-service.js';
import { assessRiskJob, type AssessRiskJobData } from '../../jobs/definitions/assess-risk.js';
import { JobClient } from '../../jobs/requests/job-client.js';
import { openStorage } from '../../storage/index.js';
import { failFast, openRedis } from '../../storage/servers/redis.js';
import { randomCandles } from '../support/candles/random-candles.js';
import { RoleChild } from '../support/process/role-child.js';
import { cpuMs } from './process-cost.js';

const candlesOfPair = 1_000;
export const traceId = 'bench';
export const costs = { feeRate: 0.001, slippageRate: 0.0005 };

/** A gateway's end of the queues in this process, nodes and servers in processes of their own. */
export interface BenchCluster {
  queues: JobClient;
  redisUrl: string;
  /** The settings of its processes. */
  env: Record<string, string>;
  nodes: RoleChild[];
  addNode: () => Promise<void>;
  /** A risk assessment per pair and side. */
  questions: AssessRiskJobData[];
  /** Forgets all results: what was asked before is computed anew. */
  forget: () => Promise<void>;
  /** CPU time of each part so far, in ms. */
  cpu: () => Record<'gateway' | 'redis' | 'nodes', number>;
}

/** Runs a benchmark on a cluster of its own, whose nodes have the candles in memory and the code compiled. */
export async function onCluster(
  bench: (cluster: BenchCluster) => Promise<void>,
  { nodes: nodeCount = 1, threads = 2, depthLimit = 5_000, pairs = 250 } = {},
): Promise<void> {
  await withBenchService(async ({ redisUrl, mongodbUrl }) => {
    const env = { REDIS_URL: redisUrl, MONGODB_URL: mongodbUrl, LOG_LEVEL: 'warn', THREADS: String(threads) };
    const redis = openRedis(redisUrl, failFast);
    const forget = async () =>
      void (await redis.del('tidemark:results', 'tidemark:results:until', 'tidemark:results:bytes'));
    const nodes: RoleChild[] = [];
    const addNode = async () => void nodes.push(await RoleChild.start('bench compute', env));
    let queues: JobClient | undefined;
    try {
      const questions = pairs > 0 ? await prepare(mongodbUrl, pairs) : [];
      for (let n = 0; n < nodeCount; n++) await addNode();
      queues = await JobClient.open(redisUrl, { depthLimit, rememberedCharacters: 0 });
      const redisPid = Number(/process_id:(\d+)/.exec(await redis.info('server'))![1]);
      const cpu = () => ({
        gateway: cpuMs(process.pid),
        redis: cpuMs(redisPid),
        nodes: nodes.reduce((sum, { process: { pid } }) => sum + cpuMs(pid!), 0),
      });
      await warmUp(queues, questions, forget);
      await bench({ queues, redisUrl, env, nodes, addNode, questions, forget, cpu });
    } finally {
      await queues?.close();
      redis.disconnect();
      await Promise.all(nodes.map((node) => node.stop()));
    }
  });
}

async function warmUp(
  queues: JobClient,
  questions: readonly AssessRiskJobData[],
  forget: () => Promise<void>,
): Promise<void> {
  const ask = (some: readonly AssessRiskJobData[]) => queues.runAll(assessRiskJob, some, { traceId });
  for (let from = 0; from < questions.length; from += 20) await ask(questions.slice(from, from + 20));
  for (let n = 0; n < 3; n++) {
    await forget();
    await ask(questions);
  }
  await forget();
}

async function prepare(mongodbUrl: string, pairs: number): Promise<AssessRiskJobData[]> {
  const storage = openStorage(mongodbUrl, { timeoutMs: 60_000 });
  await storage.migrate();
  const bases = ['BTC', ...Array.from({ length: pairs - 1 }, (_, n) => `C${n}`)];
  for (const [seed, base] of bases.entries())
    await storage.candles.add({ market: 'csv', base, quote: 'USDT' }, randomCandles(candlesOfPair, { seed }));
  const series = await storage.series.traded('csv', 'USDT', '1h');
  await storage.close();
  const leadingDigest = series.find(({ base }) => base === 'BTC')!.digest;
  return series.flatMap(({ market, base, quote, interval, digest }) =>
    (['long', 'short'] as const).map((side) => ({
      key: { market, base, quote, interval },
      digest,
      leadingDigest,
      side,
    })),
  );
}
