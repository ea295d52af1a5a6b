import { randomCandles } from '../support/candles/random-candles.js';
import { assessRiskJob } from '../../jobs/definitions/assess-risk.js';
import { openPool } from '../../jobs/node/pool.js';
import { openBare } from './bare-bullmq.js';
import { onCluster, traceId, type BenchCluster } from './bench-cluster.js';
import { spinJob } from './bench-jobs.js';
import { measure, ms, percentile, printTable } from './measure.js';

const threads = 2;
const rounds = 10;
const burst = 500;
/** How many jobs a bare worker runs at a time: BullMQ's default, one for each thread, and as many as help it. */
const bareConcurrencies = [1, threads, 50];

/** Risk assessments and empty tasks, alone and in bursts, on one gateway and one compute node in a process of its own. */
export const benchCluster = (): Promise<void> =>
  onCluster(
    async (cluster) => {
      await benchRoundTrip(cluster);
      await benchBursts(cluster);
    },
    { threads },
  );

const row = (title: string, waits: readonly number[], ...more: string[]) => [
  title,
  ms(percentile(waits, 0.5)),
  ms(percentile(waits, 0.99)),
  ...more,
];

/** One question after the other through gateway, queue, thread and back. */
async function benchRoundTrip({ queues, questions, forget }: BenchCluster): Promise<void> {
  const stages: number[] = [];
  const empty = await measure(400, 100, (n) => queues.run(spinJob, { n, ms: 0 }, { traceId }));
  const waits = await measure(400, 50, async (n) => {
    const { timings } = await queues.run(assessRiskJob, questions[n + 50], { traceId });
    stages.push(timings.compute);
  });
  const again = await measure(400, 50, (n) => queues.run(assessRiskJob, questions[n + 50], { traceId }));
  await forget();
  printTable('one after the other through gateway, queue, thread and back (no HTTP)', [
    ['', 'p50', 'p99'],
    row('an empty task', empty),
    row('a risk assessment', waits),
    row('  of it in the thread', stages),
    row('asked again: the stored result', again),
  ]);
}

/** What one burst took: how long each question waited, in ms, and the CPU time of all parts. */
interface Burst {
  waits: number[];
  cpuMs: { gateway: number; redis: number; nodes: number };
  computations: number;
}

async function benchBursts(cluster: BenchCluster): Promise<void> {
  const { queues, questions, redisUrl } = cluster;
  const bare = await Promise.all(bareConcurrencies.map((concurrency) => openBare(redisUrl, concurrency)));
  const columns = ['p50', 'p99', 'requests/s', 'computed', 'gateway', 'Redis', 'node'];
  const rows = [['', ...columns]];
  let next = 0;
  const add = async (title: string, count: number, ask: (n: number) => ReturnType<typeof queues.run>) => {
    const bursts: Burst[] = [];
    const bareRates: number[][] = bare.map(() => []);
    for (let round = 0; round < rounds; round++) {
      await cluster.forget();
      bursts.push(await askAll(cluster, count, ask));
      for (const [which, { burst }] of bare.entries()) bareRates[which].push(await burst(count));
    }
    const rate = percentile(
      bursts.map(({ waits }) => (count * 1_000) / Math.max(...waits)),
      0.5,
    );
    const costs = (['gateway', 'redis', 'nodes'] as const).map((part) => {
      const all = bursts.reduce((sum, { cpuMs }) => sum + cpuMs[part], 0);
      return `${((all * 1_000) / (count * rounds)).toFixed(0)} us`;
    });
    const computed = Math.max(...bursts.map(({ computations }) => computations));
    const waits = bursts.flatMap((each) => each.waits);
    rows.push(row(title, waits, rate.toFixed(0), String(computed), ...costs));
    bareRates.forEach((rates, which) => {
      const bareRate = percentile(rates, 0.5);
      const name = `  bare BullMQ, ${count} empty jobs, ${bareConcurrencies[which]} at a time`;
      rows.push([name, '', '', bareRate.toFixed(0), `${(rate / bareRate).toFixed(1)} x`, '', '', '']);
    });
  };
  await add('1,000 assessments, 20 different', 1_000, (n) =>
    queues.run(assessRiskJob, questions[n % 20], { traceId }),
  );
  await add(`${burst} assessments, all different`, burst, (n) =>
    queues.run(assessRiskJob, questions[n], { traceId }),
  );
  await add(`${burst} empty tasks, all different`, burst, () =>
    queues.run(spinJob, { n: -++next, ms: 0 }, { traceId }),
  );
  printTable(`bursts, ${rounds} rounds; CPU time by request; times: against bare BullMQ`, rows);
  const pure = await pureComputeMs();
  console.log(`the ${burst} assessments alone, in a loop on ${threads} threads: ${ms(pure)}`);
  await Promise.all(bare.map((each) => each.close()));
}

/** Asks all at once. */
async function askAll(
  { cpu }: BenchCluster,
  count: number,
  ask: (n: number) => ReturnType<BenchCluster['queues']['run']>,
): Promise<Burst> {
  const computed = new Set<number>();
  const before = cpu();
  const started = performance.now();
  const waits = await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const { timings } = await ask(n);
      if (timings.compute !== undefined) computed.add(timings.compute);
      return performance.now() - started;
    }),
  );
  const after = cpu();
  const cpuMs = {
    gateway: after.gateway - before.gateway,
    redis: after.redis - before.redis,
    nodes: after.nodes - before.nodes,
  };
  return { waits, cpuMs, computations: computed.size };
}

/** How long the threads take for as many risk assessments as a burst has, without any way to and fro. */
async function pureComputeMs(): Promise<number> {
  const filename = new URL('./bench-thread.js', import.meta.url).href;
  const pool = openPool({ threads, threadMemoryMb: 512, filename });
  const leading = randomCandles(1_000, { seed: 0 });
  const share = Array.from({ length: burst / threads / 2 }, (_, seed) => randomCandles(1_000, { seed }));
  const inputs = share.flatMap((candles) =>
    (['long', 'short'] as const).map((side) => ({ candles, leading, isLeading: false, side })),
  );
  const { signal } = new AbortController();
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const each = Array.from({ length: threads }, () =>
      pool.run('assess all' as never, inputs as never, signal),
    );
    times.push(Math.max(...(await Promise.all(each)).map(({ computeMs }) => computeMs)));
  }
  await pool.close();
  return percentile(times, 0.5);
}
