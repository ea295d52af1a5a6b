import assert from 'node:assert/strict';
import fc from 'fast-check';
import { holm } from '../../../compute/metrics/holm.js';

describe('holm', () => {
  it('multiplies the smallest by all, the next by one fewer, and never lets a larger one fall below', () => {
    // As p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm") of R gives.
    const found = holm([0.01, 0.04, 0.03, 0.005]);
    [0.03, 0.06, 0.06, 0.02].forEach((expected, i) => assert.ok(Math.abs(found[i] - expected) < 1e-15));
    assert.deepEqual(holm([0.5, 0.9, 0.25]), [1, 1, 0.75]);
  });

  it('leaves one alone, and has nothing to say of none', () => {
    assert.deepEqual(holm([0.04]), [0.04]);
    assert.deepEqual(holm([]), []);
  });

  it('never lowers a p-value, keeps their order, stays at or below Bonferroni and 1', () => {
    const p = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(p, { maxLength: 30 }), (pValues) => {
        const adjusted = holm(pValues);
        pValues.forEach((value, i) => {
          assert.ok(adjusted[i] >= value && adjusted[i] <= Math.min(1, value * pValues.length));
          pValues.forEach((other, j) => assert.ok(value > other || adjusted[i] <= adjusted[j]));
        });
      }),
    );
  });
});
