import assert from 'node:assert/strict';
import { correlationInterval } from '../../../compute/metrics/correlation-interval.js';
import { createRandom } from '../../../compute/model/random.js';
import { naiveCorrelation } from '../../support/naive/naive-correlation.js';
import { assertClose } from '../../support/numbers/close-to.js';

describe('correlationInterval', () => {
  it("is Fisher's, written with logarithms", () => {
    for (const [r, n] of [
      [0.5, 28],
      [-0.9, 10],
      [0, 4],
      [0.999, 365],
    ]) {
      const { correlation, low, high } = correlationInterval(r, n);
      const score = 0.5 * Math.log((1 + r) / (1 - r));
      const back = (value: number) => (Math.exp(2 * value) - 1) / (Math.exp(2 * value) + 1);
      assert.equal(correlation, r);
      assertClose(low, back(score - 1.959963984540054 / Math.sqrt(n - 3)), 'low');
      assertClose(high, back(score + 1.959963984540054 / Math.sqrt(n - 3)), 'high');
    }
  });

  it('holds the true correlation in about 95 of 100 samples', () => {
    const random = createRandom(7);
    const normal = () => Math.sqrt(-2 * Math.log(1 - random.unit())) * Math.cos(2 * Math.PI * random.unit());
    let held = 0;
    for (let run = 0; run < 2_000; run++) {
      const x = Array.from({ length: 30 }, normal);
      const y = x.map((value) => 0.6 * value + 0.8 * normal());
      const { low, high } = correlationInterval(naiveCorrelation(x, y), 30);
      held += Number(low! <= 0.6 && high! >= 0.6);
    }
    assert.ok(Math.abs(held / 2_000 - 0.95) < 0.015, `${held} of 2000`);
  });

  it('is a point for a perfect correlation, and none for fewer than four pairs or no correlation', () => {
    assert.deepEqual(correlationInterval(1, 30), { correlation: 1, low: 1, high: 1 });
    assert.deepEqual(correlationInterval(-1, 30), { correlation: -1, low: -1, high: -1 });
    assert.deepEqual(correlationInterval(0.5, 3), { correlation: 0.5, low: null, high: null });
    assert.deepEqual(correlationInterval(null, 30), { correlation: null, low: null, high: null });
  });
});
