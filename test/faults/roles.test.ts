import assert from 'node:assert/strict';
import { openDeployment, type Deployment } from '../support/gateway/deployment.js';
import { assertRefused } from '../support/gateway/envelope.js';
import { openTestService } from '../support/gateway/gateway.js';
import { randomCandles } from '../support/candles/random-candles.js';
import { loadedSdk, tellLoaded } from '../support/process/loaded-sdk.js';
import { ask, RoleChild } from '../support/process/role-child.js';
import { freshMongodbUrl, freshRedisUrl } from '../support/servers/servers.js';
import { until } from '../support/process/until.js';
import { within } from '../support/process/within.js';

const open = async (computeNodes: number, env: Record<string, string> = {}): Promise<Deployment> =>
  openDeployment({ redisUrl: await freshRedisUrl(), mongodbUrl: await freshMongodbUrl(), computeNodes, env });

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

const isTaken = (node: RoleChild) => until('the job to be taken', () => node.reports.includes('taken'));

describe('one gateway and two compute nodes as processes', () => {
  let deployment: Deployment;

  before(async () => {
    deployment = await open(2, { NODE_OPTIONS: tellLoaded, LOG_LEVEL: 'debug' });
  });
  after(() => deployment.close());

  it('serve backtests, both nodes at work', async () => {
    const { backtest, nodes, readyz, ready } = deployment;
    await ready();
    const both = { computeNodes: 2, threads: 2, redisAway: [], queuesWithoutNode: [], market: 'imported' };
    assert.deepEqual((await readyz()).json, { ready: true, missing: [], ...both });
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        backtest({ feePercent: n / 10, strategy: 'buy_and_hold' }, { traceparent }),
      ),
    );
    answers.forEach(({ status, payload }, n) => {
      assert.equal(status, 200);
      assert.equal(payload.assumptions.feePercent, n / 10);
    });
    for (const node of nodes) await until('jobs on both nodes', () => node.messages.includes('job done'));
  });

  it('answer through a second gateway as through the first', async () => {
    const second = await RoleChild.start('gateway', deployment.env);
    try {
      const body = { asset: 'BTC', interval: '1h' };
      const charts = [deployment.chart(), ask(second.facts.url, '/backend/core-line/chart', body)];
      const [one, other] = await Promise.all(charts);
      assert.equal(one.status, 200);
      assert.deepEqual(one.json, other.json);
    } finally {
      await second.kill();
    }
  });

  it('end when the process that started them is gone', async () => {
    const roles = [deployment.gateway, ...deployment.nodes];
    for (const role of roles) role.process.disconnect();
    assert.deepEqual(await Promise.all(roles.map(({ exited }) => exited)), [0, 0, 0]);
  });

  it('have loaded nothing of the tracing SDK, because no collector is named', () => {
    assert.deepEqual([deployment.gateway, ...deployment.nodes].map(loadedSdk), [[], [], []]);
    assert.ok(deployment.gateway.messages.includes('request done'));
    assert.ok(!deployment.gateway.log.includes('otelTraceId'));
  });
});

describe('a compute node in the middle of a backtest', function () {
  this.timeout(60_000);
  let deployment: Deployment;
  let node: RoleChild;
  let answer: ReturnType<typeof ask>;
  const others: RoleChild[] = [];
  let asked = 0;

  before(async () => {
    deployment = await open(0);
  });
  beforeEach(async () => {
    node = await RoleChild.start('gated compute', deployment.env);
    others.push(node);
    // Another question each time: a known one would be answered without a node.
    answer = deployment.backtest({ feePercent: ++asked / 1e4 });
    // Looked at later: a failure must not count as unhandled until then.
    answer.catch(() => undefined);
    await isTaken(node);
  });
  afterEach(async () => {
    // A node that ends in order is forgotten at once.
    await Promise.all(others.splice(0).map((role) => (role === node ? role.kill() : role.stop())));
  });
  after(() => deployment.close());

  it('is killed: another node finishes the job in good time, and the dead one is forgotten', async () => {
    await node.kill();
    others.push(await RoleChild.start('compute', deployment.env));
    // The job is another node's after 6 s. Without that it would be answered with 504 after 60 s.
    const { status, payload } = await within('the answer', answer, 40_000);
    assert.equal(status, 200);
    assert.equal(payload.tradeCount, payload.trades.length);
    const parts = { computeNodes: 1, threads: 1, redisAway: [], queuesWithoutNode: [], market: 'imported' };
    const alone = { ready: true, missing: [], ...parts };
    await until(
      'one node alone',
      async () => JSON.stringify((await deployment.readyz()).json) === JSON.stringify(alone),
    );
  });

  it('is told to end: it finishes the job and takes no other', async () => {
    const stopped = node.stop();
    await until('the node to take no more', async () => (await deployment.readyz()).status === 503);
    const second = deployment.backtest();
    others.push(await RoleChild.start('compute', deployment.env));
    assert.equal((await second).status, 200);
    node.process.send('go');
    const { status, payload } = await answer;
    assert.equal(status, 200);
    assert.match(payload.id, /^gated0+$/);
    assert.equal(await stopped, 0);
  });

  it('and the gateway is told to end: it answers first', async () => {
    const { gateway } = deployment;
    const stopped = gateway.stop();
    await until('no more connections', () =>
      deployment.readyz().then(
        () => false,
        () => true,
      ),
    );
    node.process.send('go');
    const { status, payload } = await answer;
    assert.equal(status, 200);
    assert.match(payload.id, /^gated0+$/);
    // The client keeps its connection: the gateway must not wait for it, which it would for 20 s.
    assert.equal(await within('its end', stopped), 0);
    assert.ok(gateway.messages.includes('process stopped'));
  });
});

describe('a backtest that nobody finishes', () => {
  it('is answered with 504 at the limit', async () => {
    const service = await openTestService({ computeNodes: 0, env: { BACKTEST_TIMEOUT_MS: '1500' } });
    const env = { REDIS_URL: service.redisUrl, MONGODB_URL: service.mongodbUrl };
    const node = await RoleChild.start('gated compute', env);
    try {
      await service.storage.candles.add(
        { market: 'csv', base: 'BTC', quote: 'USDT' },
        randomCandles(24 * 100),
      );
      const token = await service.signIn();
      const backtest = () => ask(service.url, '/backend/core-line/backtest', { asset: 'BTC' }, token);
      const cutOff = backtest();
      await isTaken(node);
      await node.kill();
      // One whose node died, and one that never had a node.
      for (const answer of await Promise.all([cutOff, backtest()])) {
        assertRefused(answer, { status: 504, type: 'CRITICAL' });
        // Without this limit it would be 60 s.
        assert.ok(answer.ms >= 1_490 && answer.ms < 15_000, `${answer.ms} ms`);
      }
    } finally {
      await node.kill();
      await service.close();
    }
  });
});
