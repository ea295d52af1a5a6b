import { setTimeout as pause } from 'node:timers/promises';
import { JobClient } from '../../jobs/requests/job-client.js';
import { onCluster, traceId, type BenchCluster } from './bench-cluster.js';
import { spinJob, waitJob } from './bench-jobs.js';
import { RoleChild } from '../support/process/role-child.js';
import { printTable } from './measure.js';
import { cpuMs } from './process-cost.js';

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

/** Each step starts its new nodes in a process of their own, so that neither they nor this process are what limits them. */
async function benchSimulated({ redisUrl, env, cpu }: BenchCluster, seconds: number): Promise<void> {
  const cpuTitles = ['gateway', 'Redis', 'nodes'];
  const rows = [['nodes', 'tasks/s', 'possible', 'efficiency', 'of the step before', ...cpuTitles]];
  const processes: RoleChild[] = [];
  const queues = await JobClient.open(redisUrl, { depthLimit: 10_000 });
  let n = 0;
  let nodes = 0;
  let before = 0;
  for (const size of sizes) {
    const more = { SIMULATED_NODES: String(size - nodes), THREADS: String(threadsOfNode) };
    processes.push(await RoleChild.start('simulated nodes', { ...env, ...more }));
    nodes = size;
    const possible = (size * threadsOfNode * 1_000) / waitMs;
    const ask = () => queues.run(waitJob, { n: n++, ms: waitMs }, { traceId, owner: String(n % 50) });
    const nodesCpu = () => processes.reduce((sum, { process: { pid } }) => sum + cpuMs(pid!), 0);
    const used = () => [cpu().gateway, cpu().redis, nodesCpu()];
    const from = used();
    const rate = await throughput(size * threadsOfNode * 2, seconds, ask);
    const step = before === 0 ? '' : percent(rate / (2 * before));
    const perTask = used().map((ms, i) => `${(((ms - from[i]) * 1_000) / (rate * seconds)).toFixed(0)} us`);
    rows.push([
      String(size),
      rate.toFixed(0),
      possible.toFixed(0),
      percent(rate / possible),
      step,
      ...perTask,
    ]);
    before = rate;
    await pause(100);
  }
  await queues.close();
  await Promise.all(processes.map((each) => each.stop()));
  printTable(
    `simulated nodes of ${threadsOfNode} threads, tasks that wait ${waitMs} ms; CPU time by task`,
    rows,
  );
}

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;
