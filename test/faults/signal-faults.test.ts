import assert from 'node:assert/strict';
import { engineFaults, exchangeFaults } from '../support/signal-faults/engine-faults.js';
import { FaultScene } from '../support/signal-faults/fault-scene.js';
import { runWave } from '../support/signal-faults/fault-wave.js';

/** A short part of `npm run faults -- signals`, with a fixed seed. */
describe('signals that are traded while things break', function () {
  this.timeout(180_000);
  let scene: FaultScene;
  before(async () => {
    scene = await FaultScene.open();
    await scene.startWorker();
  });
  after(() => scene.close());

  it('end as the books of the exchange say, over kill -9 at writes and an emptied Redis', async () => {
    const { breakThings } = engineFaults['one after the other'];
    const terms = { seed: 41, runs: 10, breakThings, stepMs: 150, withinMs: 40_000 };
    const { orders, faults } = await runWave(scene, terms);
    assert.deepEqual(faults, []);
    assert.ok(orders > 0);
  });
});

/** The same on Binance's adapter: the exchange holds its limits, and MARKET_BUDGET_PER_MINUTE has its default. */
describe('signals that are traded on an exchange with limits while requests go wrong', function () {
  this.timeout(300_000);
  let scene: FaultScene;
  before(async () => {
    scene = await FaultScene.open('BINANCE');
    await scene.startWorker();
  });
  after(() => scene.close());

  it('end as its books say, and no request is beyond its limits', async () => {
    const { breakThings } = exchangeFaults['requests go wrong'];
    const terms = { seed: 3, runs: 6, breakThings, stepMs: 1_200, withinMs: 200_000 };
    const { orders, faults, beyondLimits } = await runWave(scene, terms);
    assert.deepEqual(faults, []);
    assert.ok(orders > 0);
    assert.equal(beyondLimits, 0);
  });
});
