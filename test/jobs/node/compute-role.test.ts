import assert from 'node:assert/strict';
import { startCompute } from '../../../jobs/node/compute-role.js';
import { backtestJob } from '../../../jobs/definitions/backtest.js';
import { coreLineBasis, coreLineJob } from '../../../jobs/definitions/core-line.js';
import { openMongo } from '../../../storage/servers/mongo.js';
import { listNodes } from '../../../storage/cluster/nodes.js';
import type { Series } from '../../../storage/candles/series.js';
import { openTestService, type TestService } from '../../support/gateway/gateway.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { until } from '../../support/process/until.js';
import { givenServers } from '../../support/servers/given-servers.js';

const pair = { market: 'csv', base: 'BTC', quote: 'USDT' } as const;
const key = { ...pair, interval: '1h' } as const;
const settings = {
  period: '3M',
  strategy: 'trend_state',
  params: {},
  costs: { feeRate: 0.001, slippageRate: 0.0005 },
} as const;
const traceId = 'test';

describe('a compute node', () => {
  let service: TestService;
  let series: Series;

  before(async () => {
    service = await openTestService({ computeNodes: 2 });
    await service.storage.candles.add(pair, randomCandles(24 * 100));
    series = (await service.storage.series.find(key))!;
  });
  after(() => service.close());

  it('tells of itself', async () => {
    const nodes = await listNodes(service.deps.redis);
    assert.equal(nodes.length, 2);
    assert.equal(new Set(nodes.map(({ id }) => id)).size, 2);
    for (const { role, threads, busy, running, startedAt } of nodes) {
      assert.deepEqual([role, running], ['compute', 0]);
      assert.deepEqual(threads, { interactive: 1, background: 1 });
      assert.deepEqual(busy, { interactive: 0, background: 0 });
      assert.equal(new Date(startedAt).toISOString(), startedAt);
    }
  });

  it('runs backtests, the same on every node', async () => {
    const { queues } = service.deps;
    const payload = { key, digest: series.digest, ...settings };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => queues.run(backtestJob, payload, { traceId })),
    );
    assert.equal(new Set(answers.map(({ result }) => JSON.stringify(result))).size, 1);
    const [{ result, timings }] = answers;
    assert.match(result.id, /^[0-9a-f]{64}$/);
    assert.deepEqual(Object.keys(timings).sort(), ['candles', 'compute', 'decide', 'queue', 'thread']);
  });

  it('stores the core line it computed', async () => {
    const { result } = await service.deps.queues.run(
      coreLineJob,
      { key, digest: series.digest },
      { traceId },
    );
    const basis = coreLineBasis(series.digest);
    assert.deepEqual(result, { basis });
    assert.equal((await service.storage.coreLines.chart(key))?.basis, basis);
    assert.equal((await service.storage.coreLines.flips(key))?.basis, basis);
  });

  it('says which series it has no candles of', async () => {
    const missing = { ...key, base: 'NOPE' };
    await assert.rejects(
      service.deps.queues.run(backtestJob, { key: missing, digest: 'x', ...settings }, { traceId }),
      { name: 'AppError', code: 'invalid_input', details: { field: 'asset' } },
    );
  });

  it('does not start on a database that a later release has changed, or that a restore is writing', async () => {
    const { redisUrl, mongodbUrl, deps } = service;
    const mongo = openMongo(mongodbUrl, { timeoutMs: 10_000 });
    const marks = mongo.db.collection<{ _id: string }>('migrations');
    try {
      for (const _id of ['0099-later', 'restoring-a-backup']) {
        await marks.insertOne({ _id });
        const servers = givenServers(redisUrl, mongodbUrl);
        const starting = startCompute({ ...deps, servers, report: () => undefined });
        await assert.rejects(starting, { code: 'newer_database' });
        await marks.deleteOne({ _id });
      }
    } finally {
      await mongo.close();
    }
  });

  it('is forgotten once it is closed', async () => {
    const { redisUrl, mongodbUrl, deps } = service;
    const servers = givenServers(redisUrl, mongodbUrl);
    const node = await startCompute({ ...deps, servers, report: () => undefined });
    await until('a third node', async () => (await listNodes(deps.redis)).length === 3);
    await node.close();
    assert.equal((await listNodes(deps.redis)).length, 2);
  });
});
