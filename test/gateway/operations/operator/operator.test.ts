import assert from 'node:assert/strict';
import type { ClusterView } from '../../../../jobs/cluster/cluster.js';
import { schedules } from '../../../../jobs/schedules/index.js';
import { DeadLetters } from '../../../../storage/cluster/dead-letters.js';
import { buryCoreLine } from '../../../support/jobs/bury-core-line.js';
import { openTestMarket, type TestMarket } from '../../../support/candles/market.js';

describe('the operation of the service', function () {
  this.timeout(30_000);
  let market: TestMarket;
  let operator: string;
  let letters: DeadLetters;
  before(async () => {
    market = await openTestMarket();
    operator = await market.service.signIn({ operator: true });
    letters = new DeadLetters(market.service.deps.redis);
  });
  after(() => market.service.close());
  afterEach(() => letters.dropAll());

  const cluster = async (token?: string) => {
    const answer = await fetch(`${market.service.url}/operator/cluster`, {
      headers: token === undefined ? {} : { 'session-token': token },
    });
    const { payload } = (await answer.json()) as { payload: ClusterView & { message?: string } };
    return { status: answer.status, payload, headers: answer.headers };
  };
  const act = (what: 'retry' | 'drop', id: unknown, token = operator) =>
    market.service.post(
      `/operator/dead-letters/${what}`,
      { id },
      token === '' ? {} : { 'session-token': token },
    );
  const bury = (id: string, base = 'BTC') => buryCoreLine(market.service, { id, base });

  it('is for operators alone', async () => {
    await bury('aa');
    assert.equal((await cluster()).status, 401);
    const { status, payload } = await cluster(market.token);
    assert.deepEqual([status, payload.message], [403, 'this is for operators']);
    for (const what of ['retry', 'drop'] as const) {
      assert.equal((await act(what, 'aa', '')).status, 401);
      assert.equal((await act(what, 'aa', market.token)).status, 403);
    }
    assert.equal((await letters.list()).length, 1);
  });

  it('shows nodes, queues, schedules and dead letters', async () => {
    await bury('aa');
    const { status, payload, headers } = await cluster(operator);
    assert.deepEqual([status, headers.get('cache-control')], [200, 'no-store']);
    assert.deepEqual(
      payload.nodes.map(({ role, lost, threads }) => [role, lost, threads]),
      [['compute', false, { interactive: 1, background: 1 }]],
    );
    assert.deepEqual(
      payload.queues,
      ['analysis', 'backtest', 'scan', 'signals', 'market', 'exchanges', 'schedules', 'signal-work'].map(
        (name) => ({
          ...{ name, waiting: 0, active: 0, delayed: 0, oldestWaitMs: null },
          nodes: ['exchanges', 'schedules', 'signal-work'].includes(name) ? 0 : 1,
          failed: name === 'analysis' ? 1 : 0,
        }),
      ),
    );
    assert.deepEqual(
      payload.schedules.map(({ name, nextRunAt, lastRun }) => [name, nextRunAt, lastRun]),
      schedules.map(({ name }) => [name, null, null]),
    );
    assert.deepEqual(payload.dead, await letters.list());
  });

  it('runs a dead letter again, and tells why it fails again', async () => {
    await bury('aa');
    await bury('bb', 'NOPE');
    assert.deepEqual((await act('retry', 'aa')).payload, { id: 'aa', name: 'core-line' });
    const again = await act('retry', 'bb');
    assert.deepEqual(
      [again.status, again.payload.message],
      [400, 'no candles of "csv:NOPE/USDT:1d" are stored'],
    );
    assert.deepEqual(
      (await letters.list()).map(({ id }) => id),
      ['bb'],
    );
  });

  it('throws dead letters away', async () => {
    for (const id of ['aa', 'bb', 'cc']) await bury(id);
    assert.deepEqual((await act('drop', 'aa')).payload, { dropped: 1 });
    const again = await act('drop', 'aa');
    assert.deepEqual([again.status, again.payload.field], [400, 'id']);
    assert.deepEqual((await act('drop', 'all')).payload, { dropped: 2 });
    for (const id of [undefined, 7, '', 'x'.repeat(65)]) assert.equal((await act('drop', id)).status, 400);
  });
});
