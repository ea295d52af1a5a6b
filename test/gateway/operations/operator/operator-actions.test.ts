import assert from 'node:assert/strict';
import type { OperatorActivityOutput } from '../../../../gateway/operations/operator/operator-commands.js';
import { routeTable } from '../../../../gateway/routes/table.js';
import { DeadLetters } from '../../../../storage/cluster/dead-letters.js';
import { announceNode } from '../../../../storage/cluster/nodes.js';
import { ScheduleRuns, type ScheduleRun } from '../../../../storage/cluster/schedule-runs.js';
import { openTestMarket, type TestMarket } from '../../../support/candles/market.js';
import { buryCoreLine } from '../../../support/jobs/bury-core-line.js';
import { logLines } from '../../../support/process/log-lines.js';
import { until } from '../../../support/process/until.js';

describe('what operators do', function () {
  this.timeout(30_000);
  const { log, lines } = logLines();
  let market: TestMarket;
  let operator: string;
  let letters: DeadLetters;
  before(async () => {
    market = await openTestMarket({ log });
    operator = await market.service.signIn({ operator: true });
    letters = new DeadLetters(market.service.deps.redis);
  });
  after(() => market.service.close());
  afterEach(() => letters.dropAll());
  const bury = (id: string, base = 'BTC') => buryCoreLine(market.service, { id, base });

  it('is for operators alone, whatever they do', async () => {
    const operations = routeTable.filter(({ path }) => path.startsWith('/operator/'));
    assert.equal(operations.length, 7);
    for (const { method, path } of operations)
      for (const [token, expected] of [
        [market.token, 403],
        ['', 401],
      ] as const) {
        const answer = await fetch(market.service.url + path, {
          method,
          headers: {
            'Content-Type': 'application/json',
            ...(token === '' ? {} : { 'session-token': token }),
          },
          ...(method === 'GET' ? {} : { body: '{}' }),
        });
        assert.equal(answer.status, expected, path);
      }
  });

  const operate = (path: string, body: object) =>
    market.service.post(`/operator/${path}`, body, { 'session-token': operator });

  it('runs all dead letters again, as many as succeed', async () => {
    for (const id of ['aa', 'bb', 'cc', 'dd', 'ee']) await bury(id);
    await bury('no', 'NOPE');
    assert.deepEqual((await operate('dead-letters/retry-all', {})).payload, {
      ...{ retried: 5, failed: 1, incomplete: 0, left: 0 },
    });
    assert.deepEqual(
      (await letters.list()).map(({ id }) => id),
      ['no'],
    );
    const line = lines.find(({ msg, retried }) => msg === 'dead letters retried' && retried === 5)!;
    assert.ok(typeof line.operator === 'string' && typeof line.traceId === 'string');
  });

  it('starts a schedule now: not an unknown one, not without a worker, not twice', async () => {
    const unknown = await operate('schedules/run', { name: 'nothing' });
    assert.deepEqual([unknown.status, unknown.payload.field], [400, 'name']);
    assert.equal((await operate('schedules/run', { name: 'clean-up' })).status, 503);
    const { redis } = market.service.deps;
    const idle = { threads: null, busy: null, running: 0 };
    const worker = announceNode(redis, 'market', () => idle, ['schedules']);
    try {
      // The worker is known from its first heartbeat on.
      await until(
        'a worker',
        async () => (await operate('schedules/run', { name: 'clean-up' })).status === 200,
      );
      const runs = new ScheduleRuns(redis);
      const run: ScheduleRun = {
        ...{ name: 'clean-up', jobId: '1', dueAt: null, startedAt: new Date().toISOString(), endedAt: null },
        ...{ outcome: 'running', note: '', node: 'host:1', attempt: 1 },
      };
      await runs.put(run, Date.now());
      assert.equal((await operate('schedules/run', { name: 'clean-up' })).status, 409);
      await runs.keepOnly([]);
    } finally {
      await worker.stop();
    }
    const line = lines.find(({ msg }) => msg === 'schedule started')!;
    assert.deepEqual([line.schedule, typeof line.operator], ['clean-up', 'string']);
  });

  it('cancels only jobs that run', async () => {
    const { status, payload } = await operate('jobs/cancel', { id: 'none 0' });
    assert.deepEqual([status, payload.field], [400, 'id']);
  });

  it('counts what is asked and computed, failures apart', async () => {
    const { service } = market;
    const before = await activity();
    await service.post('/backend/core-line/chart', { asset: 'BTC' });
    await service.post('/backend/core-line/chart', { asset: 'NOPE' });
    await fetch(`${service.url}/healthz`);
    await service.deps.activity.flush();
    const after = await activity();
    assert.deepEqual([after.requests - before.requests, after.failed - before.failed], [2, 0]);
  });

  async function activity(): Promise<{ requests: number; failed: number }> {
    const answer = await fetch(`${market.service.url}/operator/activity`, {
      headers: { 'session-token': operator },
    });
    const { payload } = (await answer.json()) as { payload: OperatorActivityOutput };
    const sum = (field: 'count' | 'failed') =>
      payload.minutes.reduce((all, { requests }) => all + requests[field], 0);
    return { requests: sum('count'), failed: sum('failed') };
  }
});
