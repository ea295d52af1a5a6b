import assert from 'node:assert/strict';
import { halfLife } from '../../../compute/metrics/linear-regression.js';

describe('halfLife', () => {
  it('is the number of steps after which half is left', () => {
    const values = Float64Array.from({ length: 20 }, (_, i) => 5 + 3 * 0.5 ** (i / 4));
    const { coefficient, steps, count } = halfLife(values);
    assert.ok(Math.abs(coefficient! - 0.5 ** 0.25) < 1e-9);
    assert.ok(Math.abs(steps! - 4) < 1e-7);
    assert.equal(count, 19);
  });

  it('is none where the values run away, change sides, stand still or are too few', () => {
    const growing = halfLife(Float64Array.from({ length: 20 }, (_, i) => 1.1 ** i));
    assert.ok(Math.abs(growing.coefficient! - 1.1) < 1e-9);
    assert.equal(growing.steps, null);
    const turning = halfLife(Float64Array.from({ length: 20 }, (_, i) => (-0.5) ** i));
    assert.ok(Math.abs(turning.coefficient! + 0.5) < 1e-9);
    assert.equal(turning.steps, null);
    assert.deepEqual(halfLife(new Float64Array(10).fill(2)), { coefficient: null, steps: null, count: 9 });
    for (const values of [[], [1], [1, 2]]) {
      const count = Math.max(0, values.length - 1);
      assert.deepEqual(halfLife(Float64Array.from(values)), { coefficient: null, steps: null, count });
    }
  });
});
