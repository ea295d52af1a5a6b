import assert from 'node:assert/strict';
import { startCompute } from '../../../jobs/node/compute-role.js';
import { coreLineJob } from '../../../jobs/definitions/core-line.js';
import { refreshCoreLineJob } from '../../../jobs/definitions/refresh-core-line.js';
import { DeadLetters } from '../../../storage/cluster/dead-letters.js';
import { listNodes } from '../../../storage/cluster/nodes.js';
import type { ComputeQueue } from '../../../storage/cluster/queues.js';
import type { RunningRole } from '../../../storage/process/role.js';
import type { Series } from '../../../storage/candles/series.js';
import { assertRefused } from '../../support/gateway/envelope.js';
import { openTestService, type TestService } from '../../support/gateway/gateway.js';
import { logLines } from '../../support/process/log-lines.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { ask } from '../../support/process/role-child.js';
import { until } from '../../support/process/until.js';
import { givenServers } from '../../support/servers/given-servers.js';

const pair = { market: 'csv', base: 'BTC', quote: 'USDT' } as const;
const key = { ...pair, interval: '1h' } as const;
const traceId = 'test';

/** A compute node, and the names of the jobs that it has done. */
interface Node {
  role: RunningRole;
  done: () => Set<unknown>;
}

describe('compute nodes that take from different queues', () => {
  let service: TestService;
  let series: Series;
  let token: string;
  let long: Node;
  let short: Node;

  const start = async (...QUEUES: ComputeQueue[]): Promise<Node> => {
    const { redisUrl, mongodbUrl, settings } = service;
    const servers = givenServers(redisUrl, mongodbUrl);
    const { log, lines } = logLines();
    const context = { servers, log, settings: { ...settings, QUEUES }, report: () => undefined };
    const role = await startCompute(context);
    const ran = () => lines.filter(({ msg }) => msg === 'job done');
    return { role, done: () => new Set(ran().map(({ job }) => job)) };
  };
  const backtest = (feePercent: number) =>
    ask(service.url, '/backend/core-line/backtest', { asset: 'BTC', interval: '1h', feePercent }, token);
  const readiness = async () => (await ask(service.url, '/readyz')).json as Record<string, unknown>;
  const unserved = (...names: ComputeQueue[]) =>
    until('the queues without a node', async () => {
      const { queuesWithoutNode } = await readiness();
      return JSON.stringify(queuesWithoutNode) === JSON.stringify(names);
    });

  before(async () => {
    service = await openTestService({ computeNodes: 0, env: { BACKTEST_TIMEOUT_MS: '4000' } });
    await service.storage.candles.add(pair, randomCandles(24 * 400));
    series = (await service.storage.series.find(key))!;
    token = await service.signIn({ operator: true });
    [long, short] = await Promise.all([start('backtest'), start('analysis', 'scan')]);
    await unserved('signals', 'market');
  });
  after(async () => {
    await Promise.all([long, short].map(({ role }) => role.close()));
    await service.close();
  });

  it('tell which, and start threads for these alone', async () => {
    const nodes = await listNodes(service.deps.redis);
    assert.deepEqual(nodes.map(({ queues, threads }) => ({ queues, threads })).sort(byQueues), [
      { queues: ['analysis', 'scan'], threads: { interactive: 1, background: 0 } },
      { queues: ['backtest'], threads: { interactive: 0, background: 1 } },
    ]);
  });

  it('each answer what is asked there', async () => {
    // The first one waits for its thread.
    await until('a backtest', async () => (await backtest(0.009)).status === 200);
    const answers = await Promise.all([0.001, 0.002, 0.003, 0.004].map(backtest));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    );
    await service.deps.queues.run(coreLineJob, { key, digest: series.digest }, { traceId });
    assert.deepEqual([long.done(), short.done()], [new Set(['backtest']), new Set(['core-line'])]);
  });

  it('leave queues without a node, which /readyz and operators are shown', async () => {
    assert.deepEqual(await readiness(), {
      ...{ ready: true, missing: [], computeNodes: 2, threads: 2 },
      redisAway: [],
      queuesWithoutNode: ['signals', 'market'],
      market: 'imported',
    });
    const { payload } = await ask(service.url, '/operator/cluster', undefined, token);
    const taken = (payload as { queues: { name: string; nodes: number }[] }).queues;
    assert.deepEqual(
      taken.map(({ name, nodes }) => [name, nodes]),
      [
        ...[
          ['analysis', 1],
          ['backtest', 1],
          ['scan', 1],
        ],
        ...[
          ['signals', 0],
          ['market', 0],
          ['exchanges', 0],
          ['schedules', 0],
          ['signal-work', 0],
        ],
      ],
    );
  });

  it('leave what nobody takes to end at its limit, and nothing of it in the queue', async () => {
    const { queues, cluster } = service.deps;
    const payload = { key, digest: series.digest };
    await assert.rejects(queues.run(refreshCoreLineJob, payload, { traceId, timeoutMs: 300 }), {
      code: 'time_limit',
      message: '"refresh-core-line" took longer than its limit of 0.3 s',
    });
    await until('an empty queue', async () => {
      const market = (await cluster.view()).queues.find(({ name }) => name === 'market')!;
      return market.waiting + market.active === 0;
    });
  });

  it('leave a failed job that nobody takes where it is, and say why', async () => {
    const letters = new DeadLetters(service.deps.redis);
    await letters.add({
      ...{ id: 'aa', queue: 'market', name: 'refresh-core-line', traceId, attempts: 1, node: 'host:1' },
      payload: { key, digest: series.digest },
      error: { code: 'thread_failed', message: 'a thread failed', stack: null },
    });
    await assert.rejects(service.deps.cluster.retry('aa', traceId), {
      code: 'no_worker',
      message: 'no process is alive that takes from queue "market"; start one with npm run compute',
    });
    assert.equal((await letters.list()).length, 1);
    await letters.dropAll();
  });

  it('are missed once the last for a queue is gone, until there is another', async () => {
    await long.role.close();
    await unserved('backtest', 'signals', 'market');
    assertRefused(await backtest(0.005), { status: 504, type: 'CRITICAL' });
    const waiting = backtest(0.006);
    long = await start('backtest', 'market');
    assert.equal((await waiting).status, 200);
    await unserved('signals');
  });
});

const byQueues = (one: { queues: readonly string[] }, other: { queues: readonly string[] }) =>
  one.queues.join() < other.queues.join() ? -1 : 1;
