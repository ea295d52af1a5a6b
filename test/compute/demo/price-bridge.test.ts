import assert from 'node:assert/strict';
import { bridgedPrice, bridgeParts, type BridgedStep } from '../../../compute/demo/price-bridge.js';

const step = (seed: number): BridgedStep => ({ from: 100, to: 101, deviation: 1, low: 0, high: 200, seed });
const seeds = Array.from({ length: 4_000 }, (_, n) => Math.imul(n + 1, 0x27d4eb2f));

describe('bridgedPrice', () => {
  it('begins and ends at the prices of the step', () => {
    for (const seed of seeds.slice(0, 100))
      assert.deepEqual([bridgedPrice(step(seed), 0), bridgedPrice(step(seed), 1)], [100, 101]);
  });

  it('has the mean and the variance of a Brownian bridge: t (1 - t)', () => {
    for (const share of [1 / 128, 0.125, 0.25, 0.5, 0.875]) {
      const prices = seeds.map((seed) => bridgedPrice(step(seed), share));
      const mean = prices.reduce((sum, price) => sum + price, 0) / prices.length;
      const variance = prices.reduce((sum, price) => sum + (price - mean) ** 2, 0) / prices.length;
      assert.ok(Math.abs(mean - 100 - share) < 0.04, `mean ${mean} at ${share}`);
      assert.ok(Math.abs(variance / (share * (1 - share)) - 1) < 0.12, `variance ${variance} at ${share}`);
    }
  });

  it('stays within the range, also where that leaves no room', () => {
    for (const seed of seeds.slice(0, 200))
      for (let part = 0; part <= bridgeParts; part++) {
        const narrow = bridgedPrice(
          { ...step(seed), low: 99.8, high: 101.1, deviation: 5 },
          part / bridgeParts,
        );
        assert.ok(narrow >= 99.8 && narrow <= 101.1, `${narrow}`);
        const still = { ...step(seed), to: 100, low: 100, high: 100 };
        assert.equal(bridgedPrice(still, part / bridgeParts), 100);
      }
  });

  it('moves linearly within a part', () => {
    const at = (parts: number) => bridgedPrice(step(7), parts / bridgeParts);
    assert.ok(Math.abs(at(5.5) - (at(5) + at(6)) / 2) < 1e-12);
  });
});
