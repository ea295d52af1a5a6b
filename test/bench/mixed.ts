import { setTimeout as pause } from 'node:timers/promises';
import { assessRiskJob } from '../../jobs/definitions/assess-risk.js';
import { backtestJob } from '../../jobs/definitions/backtest.js';
import { walkForward } from '../../compute/backtest/walk-forward.js';
import { analysisJob } from '../../jobs/definitions/shared/analysis-job.js';
import { costs, onCluster, traceId, type BenchCluster } from './bench-cluster.js';
import { ms, percentile, printTable } from './measure.js';

const users = 6;
const everyMs = 20;

/** Risk assessments, 50 a second: alone, and while walk-forwards and backtests keep every background thread busy. */
export const benchMixed = (seconds = 60): Promise<void> =>
  onCluster(async (cluster) => {
    const alone = await askNowAndThen(cluster, seconds);
    const over = new AbortController();
    let done = 0;
    const busy = Array.from({ length: users }, async (_, user) => {
      for (let n = 0; !over.signal.aborted; n++) {
        await askHeavy(cluster, user, n, over.signal).then(
          () => done++,
          () => undefined,
        );
      }
    });
    await pause(500);
    const before = cluster.cpu();
    const beside = await askNowAndThen(cluster, seconds);
    const used = (cluster.cpu().nodes - before.nodes) / (seconds * 1_000);
    over.abort();
    await Promise.all(busy);
    const ratio = percentile(beside, 0.99) / percentile(alone, 0.99);
    printTable(`risk assessments, ${1_000 / everyMs} a second for ${seconds} s`, [
      ['', 'p50', 'p99', ''],
      ['alone', ms(percentile(alone, 0.5)), ms(percentile(alone, 0.99)), ''],
      [
        'beside long work',
        ms(percentile(beside, 0.5)),
        ms(percentile(beside, 0.99)),
        `${(done / seconds).toFixed(0)} long jobs/s, ${used.toFixed(1)} cores`,
      ],
      ['times the p99 alone', '', ratio.toFixed(1), ratio <= 3 ? '' : 'more than 3'],
    ]);
  });

async function askNowAndThen(
  { queues, questions, forget }: BenchCluster,
  seconds: number,
): Promise<number[]> {
  const waits: number[] = [];
  const until = performance.now() + seconds * 1_000;
  const asked: Promise<unknown>[] = [];
  for (let n = 0; performance.now() < until; n++) {
    if (n % questions.length === 0) await forget();
    const started = performance.now();
    const question = questions[n % questions.length];
    asked.push(
      queues.run(assessRiskJob, question, { traceId }).then(() => waits.push(performance.now() - started)),
    );
    await pause(everyMs);
  }
  await Promise.all(asked);
  return waits;
}

/** Every third is a backtest; other costs each time: nobody has asked it before. */
function askHeavy(
  { queues, questions }: BenchCluster,
  user: number,
  n: number,
  signal: AbortSignal,
): Promise<unknown> {
  const { key, digest } = questions[(user * 41 + n) % questions.length];
  const options = { traceId, owner: String(user), signal };
  const paid = { ...costs, feeRate: 1e-3 + n * 1e-7 };
  if (n % 3 === 0) {
    const settings = {
      period: '3M',
      strategy: 'ema_cross',
      params: { fast: 5, slow: 20 + (n % 80) },
    } as const;
    return queues.run(backtestJob, { key, digest, ...settings, costs: paid }, options);
  }
  const grid = { fast: [3, 5, 8, 12, 16, 20], slow: [24, 30, 40, 50 + (n % 50)] };
  const params = {
    strategy: 'ema_cross',
    grid,
    folds: 4,
    trainRatio: 0.7,
    exchange: null,
    feePercent: 0.1 + n * 1e-5,
    slippagePercent: 0.05,
  } as const;
  return queues.run(analysisJob(walkForward), { key, digest, params }, options);
}
