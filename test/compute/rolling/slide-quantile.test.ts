import assert from 'node:assert/strict';
import { quantile } from '../../../compute/metrics/quantile.js';
import { createRandom } from '../../../compute/model/random.js';
import { slideQuantile } from '../../../compute/rolling/slide-quantile.js';

describe('slideQuantile', () => {
  it('is the quantile of every window, sorted anew, also where values repeat', () => {
    const random = createRandom(3);
    for (const levels of [5, 1e9]) {
      const values = Float64Array.from({ length: 400 }, () => Math.floor(random.unit() * levels));
      values.fill(NaN, 0, 14);
      const found = new Float64Array(400).fill(-1);
      slideQuantile(values, { first: 14, window: 60, share: 0.9 }, found);
      for (let i = 0; i < 14; i++) assert.equal(found[i], -1);
      for (let i = 14; i < 400; i++) {
        const window = values.slice(Math.max(14, i - 59), i + 1).sort();
        assert.equal(found[i], quantile(window, 0.9), `at ${i}`);
      }
    }
  });
});
