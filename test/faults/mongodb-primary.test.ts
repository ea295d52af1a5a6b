import assert from 'node:assert/strict';
import { openDeployment, type Deployment } from '../support/gateway/deployment.js';
import { ask, RoleChild } from '../support/process/role-child.js';
import { until } from '../support/process/until.js';
import { MongoSet } from '../support/servers/mongo-set.js';
import { freshMongodbUrl, freshRedisUrl } from '../support/servers/servers.js';

describe('a MongoDB whose primary changes under load', function () {
  this.timeout(120_000);
  let set: MongoSet;
  let deployment: Deployment;
  let signals: RoleChild;
  before(async () => {
    const mongodbUrl = await freshMongodbUrl();
    set = await MongoSet.open(mongodbUrl);
    deployment = await openDeployment({ redisUrl: await freshRedisUrl(), mongodbUrl: set.url });
    signals = await RoleChild.start('signals', deployment.env);
    await deployment.ready(60_000);
  });
  after(async () => {
    await signals.kill();
    await deployment.close();
    await set.close();
  });

  const positions = (token: string) =>
    ask(deployment.gateway.facts.url, '/backend/activepositions', undefined, token);

  /** Signs in and reads without a pause while the primary changes; the tokens that were acknowledged. */
  async function change(leave: () => unknown): Promise<string[]> {
    const tokens: string[] = [];
    const statuses = new Set<number>();
    let isOver = false;
    const load = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const { status, payload } = await deployment.signIn();
        statuses.add(status);
        if (status === 200) tokens.push(payload.token as string);
        statuses.add((await deployment.positions()).status);
      }
    });
    try {
      await until('acknowledged writes', () => tokens.length > 3);
      await leave();
      await until('answers without a primary', () => statuses.has(503));
      await set.start();
      const before = tokens.length;
      await until('writes by the new primary', () => tokens.length > before + 3);
    } finally {
      isOver = true;
      await Promise.all(load);
    }
    assert.deepEqual([...statuses].sort(), [200, 503]);
    return tokens;
  }

  for (const [what, leave] of [
    ['is gone', () => set.kill()],
    ['has become a secondary', () => set.stepDown()],
  ] as const)
    it(`loses no write that was acknowledged, and answers again, when it ${what}`, async () => {
      const tokens = await change(leave);
      for (const token of tokens) assert.equal((await positions(token)).status, 200);
      await until(
        'a backtest',
        async () => (await deployment.backtest({ feePercent: Math.random() })).status === 200,
      );
      for (const { process } of [deployment.gateway, ...deployment.nodes, signals])
        assert.equal(process.exitCode, null);
    });
});
