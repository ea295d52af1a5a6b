import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { openDeployment, type Deployment } from '../support/gateway/deployment.js';
import type { TestAnswer } from '../support/gateway/gateway.js';
import { MongoProxy } from '../support/servers/mongo-proxy.js';
import { OwnServer } from '../support/servers/own-server.js';
import { freshMongodbUrl, freshRedisUrl } from '../support/servers/servers.js';
import { until } from '../support/process/until.js';
import { within } from '../support/process/within.js';

type Answer = TestAnswer & { json: unknown };

/** How many questions are asked one after the other: a pause of the machine takes the time of one of them. */
const rounds = 3;

/** Fails unless most are as they should be: where the machine holds up the other server, the answer is about that one. */
function assertMost<T>(answers: readonly T[], isSo: (answer: T) => boolean): void {
  assert.ok(answers.filter(isSo).length > answers.length / 2, JSON.stringify(answers));
}

/** Fails unless the answers are 503s that say when to ask again, and most of them name the part. */
function assertAway(answers: readonly Answer[], part: 'Redis' | 'MongoDB'): void {
  for (const { status, result, payload, headers } of answers) {
    assert.deepEqual({ status, result }, { status: 503, result: { type: 'CRITICAL' } });
    assert.match(payload.message, /^(Redis|MongoDB) does not answer; try again in a moment$/);
    assert.equal(payload.requestId, headers.get('x-request-id'));
    assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  }
  assertMost(answers, ({ payload }) => String(payload.message).startsWith(part));
}

/** What the gateway and the nodes still know needs no MongoDB: the session, the series, the candles, the result. */
function assertKnownOrAway(answers: readonly Answer[]): void {
  const others = answers.filter(({ status }) => status !== 200);
  if (others.length > 0) assertAway(others, 'MongoDB');
}

/** The same for surface D. */
function assertBareAway(answers: readonly Answer[], part: 'redis' | 'mongodb'): void {
  const errors = answers.map(({ json }) => (json as { error: { code: string; part: string } }).error);
  for (const error of errors) assert.equal(error.code, `${error.part}_unavailable`);
  for (const { status, headers } of answers) {
    assert.equal(status, 503);
    assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  }
  assertMost(errors, (error) => error.part === part);
}

/** One check of `/readyz` serves all who ask within half a second, so the first answers may be older than the fault. */
async function assertMissing(readyz: () => Promise<Answer>, parts: string[]): Promise<void> {
  await until('/readyz to tell', async () => (await readyz()).status === 503);
  const answers = await inTurns(readyz);
  const { json } = answers[0];
  const { ready, missing } = json as { ready: boolean; missing: string[] };
  assert.equal(ready, false);
  for (const part of parts) assert.ok(missing.includes(part), `missing: ${missing.join()}`);
}

/** The answers to a question that is asked several times. */
async function inTurns(ask: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let n = 0; n < rounds; n++) answers.push(await within('the answer', ask()));
  return answers;
}

describe('Redis that does not answer', function () {
  this.timeout(90_000);
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
    await until('backtests', async () => (await unknown()).status === 200);
    await deployment.ready();
  }

  async function assertWithout(): Promise<void> {
    assertAway(await inTurns(unknown), 'Redis');
    await assertMissing(deployment.readyz, ['redis']);
    assertAway(await Promise.all(Array.from({ length: 20 }, unknown)), 'Redis');
    assert.equal((await deployment.signIn()).status, 200);
    assertBareAway(await inTurns(deployment.risk), 'redis');
    // Light reads: of what was computed before, of what the market worker keeps current, of the last close.
    for (const read of [deployment.chart, deployment.positions, deployment.price])
      assertMost(await inTurns(() => read()), ({ status }) => status === 200);
  }

  it('is told soon when killed, and made good when it is back, each time', async () => {
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

  it('is told soon when it hangs', async () => {
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

describe('MongoDB away', function () {
  this.timeout(90_000);
  let mongodb: OwnServer;
  let way: MongoProxy;
  /** For how long each write of a session is held back. */
  let heldMs = 0;
  let deployment: Deployment;

  before(async () => {
    mongodb = await OwnServer.open('mongodb');
    way = await MongoProxy.open(mongodb.url, (collection) =>
      heldMs > 0 && collection === 'sessions' ? pause(heldMs, 'pass' as const) : 'pass',
    );
    deployment = await openDeployment({ redisUrl: await freshRedisUrl(), mongodbUrl: way.url });
    await deployment.ready();
  });
  after(async () => {
    await deployment.close();
    await way.close();
    await mongodb.close();
  });

  async function works(): Promise<void> {
    await until('backtests', async () => (await deployment.backtest()).status === 200);
    await deployment.ready();
    assert.equal((await deployment.signIn()).status, 200);
  }

  async function assertWithout(): Promise<void> {
    assertKnownOrAway(await inTurns(() => deployment.backtest()));
    for (const read of [deployment.signIn, deployment.chart, deployment.positions])
      assertAway(await inTurns(() => read()), 'MongoDB');
    assertBareAway(await inTurns(deployment.price), 'mongodb');
    await assertMissing(deployment.readyz, ['mongodb']);
    assertKnownOrAway(await Promise.all(Array.from({ length: 20 }, () => deployment.backtest())));
  }

  it('is not told while it is only slow: a request waits for its answer', async () => {
    await works();
    heldMs = 1_500;
    try {
      const { status, payload } = await deployment.signIn();
      assert.equal(status, 200, JSON.stringify(payload));
    } finally {
      heldMs = 0;
    }
  });

  it('is told soon when it hangs, and made good when it goes on', async () => {
    await works();
    mongodb.freeze();
    try {
      await assertWithout();
    } finally {
      mongodb.thaw();
    }
    await works();
  });

  it('is told soon when killed, and made good when it is back', async () => {
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
