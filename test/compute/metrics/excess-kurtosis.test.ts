import assert from 'node:assert/strict';
import { excessKurtosis } from '../../../compute/metrics/moments.js';
import { assertClose } from '../../support/numbers/close-to.js';

describe('excessKurtosis', () => {
  it('is the fourth central moment over the second ^ 2, less 3', () => {
    // Distances -2, -2, -1, 0, 5: fourth powers 16 + 16 + 1 + 0 + 625.
    assertClose(excessKurtosis(Float64Array.of(1, 1, 2, 3, 8)), 658 / 5 / (34 / 5) ** 2 - 3, 'kurtosis');
    assert.equal(excessKurtosis(Float64Array.of(-1, 1)), -2);
  });

  it('is null of fewer than two values, or where they do not vary', () => {
    for (const values of [[], [1], [0.1, 0.1, 0.1]])
      assert.equal(excessKurtosis(Float64Array.from(values)), null);
  });
});
