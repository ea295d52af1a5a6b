import assert from 'node:assert/strict';
import { openDeployment, type Deployment } from '../support/gateway/deployment.js';
import type { TestAnswer } from '../support/gateway/gateway.js';
import { OwnServer } from '../support/servers/own-server.js';
import { freshMongodbUrl, freshRedisUrl } from '../support/servers/servers.js';
import { until } from '../support/process/until.js';

/** A second, and what a busy machine adds; two time limits of 0.7 s in a row would be longer. */
const longestMs = 1_350;

type Timed = TestAnswer & { ms: number; json: unknown };

/** Fails unless the answer came within a second, is a 503 that names the part, and says when to ask again. */
function assertAway(answer: Timed, part: 'Redis' | 'MongoDB'): void {
  const { status, result, payload } = answer;
  assert.deepEqual({ status, result }, { status: 503, result: { type: 'CRITICAL' } });
  assert.equal(payload.message, `${part} does not answer; try again in a moment`);
  assert.equal(payload.requestId, answer.headers.get('x-request-id'));
  assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  assert.ok(answer.ms < longestMs, `${Math.round(answer.ms)} ms`);
}

/** What the gateway and the nodes still know needs no MongoDB: the session, the series, the candles, the result. */
function assertKnownOrAway(answer: Timed): void {
  if (answer.status === 200) assert.ok(answer.ms < longestMs, `${Math.round(answer.ms)} ms`);
  else assertAway(answer, 'MongoDB');
}

/** The same for surface D. */
function assertBareAway({ status, headers, json, ms }: Timed, part: 'redis' | 'mongodb'): void {
  const { error } = json as { error: { code: string; part: string } };
  assert.deepEqual([status, error.code, error.part], [503, `${part}_unavailable`, part]);
  assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  assert.ok(ms < 1_000, `${Math.round(ms)} ms`);
}

/** One check of `/readyz` serves all who ask within half a second, so the first answers may be older than the fault. */
async function assertMissing(readyz: () => Promise<Timed>, parts: string[]): Promise<void> {
  await until('/readyz to tell', async () => (await readyz()).status === 503, longestMs);
  const { json, ms } = await readyz();
  const { ready, missing } = json as { ready: boolean; missing: string[] };
  assert.equal(ready, false);
  for (const part of parts) assert.ok(missing.includes(part), `missing: ${missing.join()}`);
  assert.ok(ms < longestMs, `${Math.round(ms)} ms`);
}

describe('Redis that does not answer', () => {
  let redis: OwnServer;
  let deployment: Deployment;

  before(async () => {
    redis = await OwnServer.open('redis');
    deployment = await openDeployment({ redisUrl: redis.url, mongodbUrl: await freshMongodbUrl() });
    await deployment.ready();
  });
  after(async () => {
    await deployment.close();
    await redis.close();
  });

  let asked = 0;
  /** A question nobody has asked: what a gateway has answered before, it answers without Redis. */
  const unknown = () => deployment.backtest({ feePercent: ++asked / 1e4 });

  async function works(): Promise<void> {
    await until('backtests', async () => (await unknown()).status === 200, 15_000);
    await deployment.ready();
  }

  async function assertWithout(): Promise<void> {
    for (let n = 0; n < 3; n++) assertAway(await unknown(), 'Redis');
    await assertMissing(deployment.readyz, ['redis']);
    for (const answer of await Promise.all(Array.from({ length: 20 }, unknown))) assertAway(answer, 'Redis');
    assert.equal((await deployment.signIn()).status, 200);
    assertBareAway(await deployment.risk(), 'redis');
    // Light reads: of what was computed before, of what the market worker keeps current, of the last close.
    for (const read of [deployment.chart, deployment.positions, deployment.price]) {
      const { status, ms } = await read();
      assert.equal(status, 200);
      assert.ok(ms < 1_000, `${Math.round(ms)} ms`);
    }
  }

  it('is told within a second when killed, and made good when it is back, each time', async () => {
    for (let time = 0; time < 2; time++) {
      await works();
      assert.equal((await deployment.chart()).status, 200);
      await redis.kill();
      try {
        await assertWithout();
      } finally {
        await redis.start();
      }
    }
    await works();
  });

  it('is told within a second when it hangs', async () => {
    await works();
    redis.freeze();
    try {
      await assertWithout();
    } finally {
      redis.thaw();
    }
    await works();
  });

  it('costs no process', () => {
    for (const role of [deployment.gateway, ...deployment.nodes]) {
      assert.equal(role.process.exitCode, null);
      assert.ok(!role.log.includes('UnhandledPromiseRejection'), role.log);
    }
  });
});

describe('MongoDB away', () => {
  let mongodb: OwnServer;
  let deployment: Deployment;

  before(async () => {
    mongodb = await OwnServer.open('mongodb');
    deployment = await openDeployment({ redisUrl: await freshRedisUrl(), mongodbUrl: mongodb.url });
    await deployment.ready();
  });
  after(async () => {
    await deployment.close();
    await mongodb.close();
  });

  async function works(): Promise<void> {
    await until('backtests', async () => (await deployment.backtest()).status === 200, 15_000);
    await deployment.ready();
    assert.equal((await deployment.signIn()).status, 200);
  }

  async function assertWithout(): Promise<void> {
    for (let n = 0; n < 3; n++) {
      assertKnownOrAway(await deployment.backtest());
      assertAway(await deployment.signIn(), 'MongoDB');
      assertAway(await deployment.chart(), 'MongoDB');
      assertAway(await deployment.positions(), 'MongoDB');
      assertBareAway(await deployment.price(), 'mongodb');
    }
    await assertMissing(deployment.readyz, ['mongodb']);
    for (const answer of await Promise.all(Array.from({ length: 20 }, () => deployment.backtest())))
      assertKnownOrAway(answer);
  }

  it('is told within a second when it hangs, and made good when it goes on', async () => {
    await works();
    mongodb.freeze();
    try {
      await assertWithout();
    } finally {
      mongodb.thaw();
    }
    await works();
  });

  it('is told within a second when killed, and made good when it is back', async () => {
    await works();
    await mongodb.kill();
    try {
      await assertWithout();
    } finally {
      await mongodb.start();
    }
    await works();
  });

  it('costs no process', () => {
    for (const role of [deployment.gateway, ...deployment.nodes]) {
      assert.equal(role.process.exitCode, null);
      assert.ok(!role.log.includes('UnhandledPromiseRejection'), role.log);
    }
  });
});
