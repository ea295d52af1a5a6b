import assert from 'node:assert/strict';
import { skewness } from '../../../compute/metrics/moments.js';
import { assertClose } from '../../support/numbers/close-to.js';

describe('skewness', () => {
  it('is the third central moment over the second ^ 1.5', () => {
    // Mean 3: distances -2, -2, -1, 0, 5; squares 34 / 5, cubes (-8 - 8 - 1 + 125) / 5.
    assertClose(skewness(Float64Array.of(1, 1, 2, 3, 8)), 108 / 5 / (34 / 5) ** 1.5, 'skewness');
    assertClose(skewness(Float64Array.of(-8, -3, -2, -1, -1)), -108 / 5 / (34 / 5) ** 1.5, 'mirrored');
    assert.equal(skewness(Float64Array.of(1, 2, 3)), 0);
  });

  it('is null of fewer than two values, or where they do not vary', () => {
    for (const values of [[], [1], [0.1, 0.1, 0.1]]) assert.equal(skewness(Float64Array.from(values)), null);
  });
});
