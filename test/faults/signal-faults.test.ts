import assert from 'node:assert/strict';
import { engineFaults, exchangeFaults } from '../support/signal-faults/engine-faults.js';
import { FaultScene, type SceneVenue } from '../support/signal-faults/fault-scene.js';
import { runWave, type WaveResult, type WaveTerms } from '../support/signal-faults/fault-wave.js';

/** A short part of `npm run faults -- signals`, with fixed seeds: two scenes side by side, because both mostly wait. */
describe('signals that are traded while things break', function () {
  this.timeout(300_000);
  const scenes: FaultScene[] = [];
  const waves: Record<string, Promise<WaveResult>> = {};
  const begin = async (name: string, venue: SceneVenue, terms: WaveTerms) => {
    const scene = await FaultScene.open({ venue });
    scenes.push(scene);
    await scene.startWorker();
    waves[name] = runWave(scene, terms);
    // It is awaited below.
    waves[name].catch(() => undefined);
  };
  before(async () => {
    await begin('paper', 'PAPER', {
      ...{ seed: 41, runs: 10, stepMs: 150, withinMs: 120_000 },
      breakThings: engineFaults['one after the other'].breakThings,
    });
    await begin('live', 'BINANCE', {
      ...{ seed: 3, runs: 6, stepMs: 1_200, withinMs: 200_000 },
      breakThings: exchangeFaults['requests go wrong'].breakThings,
    });
  });
  after(() => Promise.all(scenes.map((scene) => scene.close())));

  it('end as the books of the exchange say, over kill -9 at writes and an emptied Redis', async () => {
    const { orders, faults } = await waves.paper;
    assert.deepEqual(faults, []);
    assert.ok(orders > 0);
  });

  /** Binance's adapter: the exchange holds its limits, and MARKET_BUDGET_PER_MINUTE has its default. */
  it('end as its books say on an exchange whose requests go wrong, and no request is beyond its limits', async () => {
    const { orders, faults, beyondLimits } = await waves.live;
    assert.deepEqual(faults, []);
    assert.ok(orders > 0);
    assert.equal(beyondLimits, 0);
  });
});
