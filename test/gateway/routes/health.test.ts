import assert from 'node:assert/strict';
import { openTestService, type TestService } from '../../support/gateway/gateway.js';
import { Scrape } from '../../support/servers/scrape.js';
import { until } from '../../support/process/until.js';

describe('/readyz', () => {
  let service: TestService;

  before(async () => {
    service = await openTestService({ measured: true });
  });
  after(() => service.close());

  const ask = async () => {
    const answer = await fetch(`${service.url}/readyz`);
    return { status: answer.status, headers: answer.headers, json: (await answer.json()) as object };
  };
  const pings = async () =>
    new Scrape(await service.metrics.gateway.registry.metrics()).sum('tidemark_round_trip_seconds_count', {
      server: 'mongodb',
      command: 'ping',
    });

  it('checks once in half a second, however many ask', async () => {
    await until('a node', async () => (await ask()).status === 200);
    const before = await pings();
    const started = performance.now();
    const answers = await Promise.all(Array.from({ length: 200 }, ask));
    const checks = (await pings()) - before;
    const most = 1 + Math.ceil((performance.now() - started) / 500);
    assert.ok(checks <= most, `${checks} checks, at most ${most} expected`);
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array(200).fill(200),
    );
    assert.equal(answers[0].headers.get('retry-after'), null);
    await until(
      'another check',
      async () => (await ask()).status === 200 && (await pings()) > before + checks,
    );
  });

  it('says with 503 when to ask again', async () => {
    const lonely = await openTestService({ computeNodes: 0 });
    try {
      const answer = await fetch(`${lonely.url}/readyz`);
      assert.equal(answer.status, 503);
      assert.equal(answer.headers.get('retry-after'), '1');
      assert.deepEqual(((await answer.json()) as { missing: string[] }).missing, ['compute']);
    } finally {
      await lonely.close();
    }
  });
});
