import { unlimited } from '../support/unlimited.js';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Queue, QueueEvents } from 'bullmq';
import { assessRiskJob, type AssessRiskPayload } from '../../jobs/definitions/assess-risk.js';
import { walkForwardJob } from '../../jobs/definitions/walk-forward.js';
import { JobQueues } from '../../jobs/queue.js';
import { RoleProcess } from '../../gateway/role-process.js';
import { openServers } from '../../storage/embedded/servers.js';
import { openStorage } from '../../storage/index.js';
import { connected, failFast, openRedis, patient } from '../../storage/redis.js';
import { randomCandles } from '../support/random-candles.js';
import { serversDir } from '../support/servers.js';
import { measure, ms, percentile, printTable } from './measure.js';

const pairs = 250;
const candles = 1_000;
const rounds = 5;
const traceId = 'bench';
const costs = { feeRate: 0.001, slippageRate: 0.0005 };
const mixedSeconds = Number(process.env.MIXED_SECONDS ?? 20);
const noopWorker = new URL('./noop-worker.js', import.meta.url);

interface Bench {
  queues: JobQueues;
  redisUrl: string;
  /** One question per pair and side. */
  questions: AssessRiskPayload[];
  /** Forgets all results: what was asked before is computed anew. */
  forget: () => Promise<void>;
}

/** Bursts of risk assessments, and long work beside them, on one gateway and one compute node in a process of its own. */
export async function benchCluster(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-bench-'));
  const settings = { REDIS_URL: '', MONGODB_URL: '', DATA_DIR: folder, SERVERS_DIR: serversDir };
  const report = (line: string) => console.error(line);
  const servers = await openServers({
    settings,
    holder: 'service',
    name: 'bench',
    running: 'refuse',
    report,
  });
  const { redisUrl, mongodbUrl } = servers;
  const env = {
    ...unlimited,
    PATH: process.env.PATH,
    REDIS_URL: redisUrl,
    MONGODB_URL: mongodbUrl,
    MARKET: 'csv',
    LOG_LEVEL: 'warn',
  };
  const module = new URL('../../jobs/main.js', import.meta.url);
  const compute = new RoleProcess({ role: 'compute', module, args: ['compute'], env, report });
  const redis = openRedis(redisUrl, failFast);
  const forget = async () =>
    void (await redis.del('tidemark:results', 'tidemark:results:until', 'tidemark:results:bytes'));
  let queues: JobQueues | undefined;
  try {
    const questions = await prepare(mongodbUrl);
    await compute.start();
    queues = await JobQueues.open(redisUrl, { depthLimit: 5_000 });
    const bench = { queues, redisUrl, questions, forget };
    // Candles in the node's memory, code compiled.
    for (let from = 0; from < questions.length; from += 20)
      await askAll(queues, questions.slice(from, from + 20));
    for (let n = 0; n < 3; n++) {
      await forget();
      await askAll(queues, questions);
    }
    await benchRoundTrip(bench);
    await benchBursts(bench);
    await benchMixed(bench);
  } finally {
    await queues?.close();
    redis.disconnect();
    await compute.stop();
    await servers.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function prepare(mongodbUrl: string): Promise<AssessRiskPayload[]> {
  const storage = openStorage(mongodbUrl, { timeoutMs: 60_000 });
  await storage.migrate();
  const bases = ['BTC', ...Array.from({ length: pairs - 1 }, (_, n) => `C${n}`)];
  for (const [seed, base] of bases.entries())
    await storage.candles.add({ market: 'csv', base, quote: 'USDT' }, randomCandles(candles, { seed }));
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

/** Asks all at once: how long each waited, in ms, and how many computations it took. */
async function askAll(queues: JobQueues, questions: readonly AssessRiskPayload[]) {
  const computed = new Set<number>();
  const started = performance.now();
  const waits = await Promise.all(
    questions.map(async (question) => {
      const { timings } = await queues.run(assessRiskJob, question, { traceId });
      if (timings.compute !== undefined) computed.add(timings.compute);
      return performance.now() - started;
    }),
  );
  return { waits, computations: computed.size, perSecond: (questions.length * 1000) / Math.max(...waits) };
}

const row = (title: string, waits: readonly number[], ...more: string[]) => [
  title,
  ms(percentile(waits, 0.5)),
  ms(percentile(waits, 0.99)),
  ...more,
];

/** One question after the other through gateway, queue, thread and back. */
async function benchRoundTrip({ queues, questions, forget }: Bench): Promise<void> {
  const stages: number[] = [];
  await forget();
  const waits = await measure(400, 50, async (n) => {
    const { timings } = await queues.run(assessRiskJob, questions[n + 50], { traceId });
    stages.push(timings.compute);
  });
  const again = await measure(400, 50, (n) => queues.run(assessRiskJob, questions[n + 50], { traceId }));
  printTable('one risk assessment after the other (no HTTP)', [
    ['', 'p50', 'p99'],
    row('computed', waits),
    row('  of it in the thread', stages),
    row('asked again: the stored result', again),
  ]);
}

async function benchBursts({ queues, redisUrl, questions, forget }: Bench): Promise<void> {
  const bare = await openBare(redisUrl);
  const rows = [['', 'p50', 'p99', 'requests/s', 'computations']];
  const add = async (title: string, asked: readonly AssessRiskPayload[]) => {
    const all = { waits: [] as number[], perSecond: [] as number[], computations: 0 };
    const bareRates: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await forget();
      const { waits, perSecond, computations } = await askAll(queues, asked);
      all.waits.push(...waits);
      all.perSecond.push(perSecond);
      all.computations = Math.max(all.computations, computations);
      bareRates.push(await bare.burst(asked.length));
    }
    const rate = percentile(all.perSecond, 0.5);
    const bareRate = percentile(bareRates, 0.5);
    rows.push(row(title, all.waits, rate.toFixed(0), String(all.computations)));
    rows.push([`  bare BullMQ, ${asked.length} empty jobs`, '', '', bareRate.toFixed(0), '']);
    rows.push(['  times as many as bare BullMQ', '', '', (rate / bareRate).toFixed(1), '']);
  };
  const few = Array.from({ length: 1_000 }, (_, n) => questions[n % 20]);
  await add('1,000 at once, 20 different', few);
  await add('500 at once, all different', questions.slice(0, 500));
  printTable(`bursts of risk assessments, ${rounds} rounds`, rows);
  await bare.close();
}

/** Empty jobs through BullMQ alone, a job for each request. */
async function openBare(redisUrl: string) {
  const worker = fork(noopWorker, { env: { ...process.env, REDIS_URL: redisUrl } });
  await once(worker, 'message');
  const redis = openRedis(redisUrl, patient);
  await connected(redis);
  const queue = new Queue('noop', {
    connection: redis,
    defaultJobOptions: { removeOnComplete: { count: 1_000 } },
  });
  // It listens once per job that is waited for.
  queue.setMaxListeners(0);
  const eventsRedis = redis.duplicate();
  const events = new QueueEvents('noop', { connection: eventsRedis });
  await events.waitUntilReady();
  const burst = async (count: number) => {
    const started = performance.now();
    const done = Array.from({ length: count }, async () => {
      const job = await queue.add('noop', {});
      await job.waitUntilFinished(events);
    });
    await Promise.all(done);
    return (count * 1000) / (performance.now() - started);
  };
  await burst(500);
  return {
    burst,
    async close() {
      await events.close();
      await queue.close();
      redis.disconnect();
      eventsRedis.disconnect();
      worker.disconnect();
    },
  };
}

/** Risk assessments every 20 ms: alone, and while walk-forwards keep every background thread busy. */
async function benchMixed({ queues, questions, forget }: Bench): Promise<void> {
  const interactive = async () => {
    const waits: number[] = [];
    const until = performance.now() + mixedSeconds * 1000;
    const asked: Promise<unknown>[] = [];
    await forget();
    for (let n = 0; performance.now() < until; n++) {
      if (n % questions.length === 0) await forget();
      const started = performance.now();
      const question = questions[n % questions.length];
      asked.push(
        queues.run(assessRiskJob, question, { traceId }).then(() => waits.push(performance.now() - started)),
      );
      await pause(20);
    }
    await Promise.all(asked);
    return waits;
  };
  const alone = await interactive();
  const over = new AbortController();
  let done = 0;
  const busy = Array.from({ length: 6 }, async (_, user) => {
    for (let n = 0; !over.signal.aborted; n++) {
      const { key, digest } = questions[(user * 41 + n) % questions.length];
      const grid = { fast: [3, 5, 8, 12, 16, 20], slow: [24, 30, 40, 50 + (n % 50)] };
      // Other costs each time: nobody has asked it before.
      const paid = { ...costs, feeRate: 1e-3 + n * 1e-7 };
      const params = { strategy: 'ema_cross', grid, folds: 4, trainRatio: 0.7, costs: paid } as const;
      const asked = queues.run(
        walkForwardJob,
        { key, digest, params },
        { traceId, owner: String(user), signal: over.signal },
      );
      await asked.then(() => done++).catch(() => undefined);
    }
  });
  await pause(500);
  const beside = await interactive();
  over.abort();
  await Promise.all(busy);
  const ratio = percentile(beside, 0.99) / percentile(alone, 0.99);
  printTable(`risk assessments, 50 a second for ${mixedSeconds} s`, [
    ['', 'p50', 'p99', ''],
    row('alone', alone, ''),
    row('beside walk-forwards', beside, `${(done / mixedSeconds).toFixed(0)} walk-forwards/s`),
    ['times the p99 alone', '', ratio.toFixed(1), ''],
  ]);
}
