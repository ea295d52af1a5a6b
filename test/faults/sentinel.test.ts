import assert from 'node:assert/strict';
import { openDeployment, type Deployment } from '../support/gateway/deployment.js';
import { until } from '../support/process/until.js';
import { freshMongodbUrl } from '../support/servers/servers.js';
import { SentinelSet } from '../support/servers/sentinel-set.js';
import { engineFaults } from '../support/signal-faults/engine-faults.js';
import { FaultScene } from '../support/signal-faults/fault-scene.js';
import { runWave } from '../support/signal-faults/fault-wave.js';

/** A short part of `npm run faults -- signals 40 1 'primary of sentinels killed'`, which prints times. */
describe('a primary of sentinels that is killed while signals are traded', function () {
  this.timeout(180_000);
  const { workers, breakThings } = engineFaults['primary of sentinels killed'];
  let scene: FaultScene;
  before(async () => {
    scene = await FaultScene.open({ venue: 'PAPER' }, () => SentinelSet.open());
    for (let n = 0; n < workers; n++) await scene.startWorker();
  });
  after(() => scene.close());

  it('costs no order, and each signal is executed once', async () => {
    const terms = { seed: 7, runs: 10, breakThings, stepMs: 150, withinMs: 60_000 };
    const { orders, faults } = await runWave(scene, terms);
    assert.deepEqual(faults, []);
    assert.ok(orders > 0);
  });
});

describe('a service whose Redis is named by sentinels', function () {
  this.timeout(180_000);
  let redis: SentinelSet;
  let deployment: Deployment;
  before(async () => {
    redis = await SentinelSet.open();
    deployment = await openDeployment({ redisUrl: redis.url, mongodbUrl: await freshMongodbUrl() });
    await until('a backtest', async () => (await ask()).status === 200);
  });
  after(async () => {
    await deployment.close();
    await redis.close();
  });

  let asked = 0;
  const ask = () => deployment.backtest({ feePercent: ++asked / 1e4 });

  /** Asks until the next primary answers; 503 is the only other answer. */
  async function assertMoved(former: number): Promise<void> {
    const statuses = new Set<number>();
    const answered = async () => {
      const { status } = await ask();
      statuses.add(status);
      return status === 200;
    };
    await until('a backtest by the new primary', answered);
    assert.notEqual(await redis.primaryPort(), former);
    assert.deepEqual([...statuses], [503, 200]);
    await deployment.ready(60_000);
    for (const { process } of [deployment.gateway, ...deployment.nodes]) assert.equal(process.exitCode, null);
  }

  it('goes on with the next primary when the first hangs and closes no connection', async () => {
    const former = await redis.primaryPort();
    redis.freeze();
    try {
      await assertMoved(former);
    } finally {
      redis.thaw();
    }
    await redis.start();
  });

  it('goes on with the next primary when the present one is killed', async () => {
    const former = await redis.primaryPort();
    await redis.kill();
    await assertMoved(former);
  });
});
