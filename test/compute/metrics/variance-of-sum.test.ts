import assert from 'node:assert/strict';
import { varianceOfSum } from '../../../compute/metrics/correlated-share.js';
import { createRandom } from '../../../compute/model/random.js';
import { assertClose } from '../../support/numbers/close-to.js';

describe('varianceOfSum', () => {
  it("is Bartlett's kernel over the covariances", () => {
    const { unit } = createRandom(5);
    const values = Float64Array.from({ length: 60 }, () => unit() - 0.5);
    for (const block of [1, 2, 7, 60, 200]) {
      let expected = 0;
      for (let i = 0; i < 60; i++)
        for (let j = 0; j < 60; j++)
          expected += Math.max(0, 1 - Math.abs(i - j) / block) * values[i] * values[j];
      assertClose(varianceOfSum(values, block), expected, `blocks of ${block}`);
    }
  });

  it('is the sum of squares where neighbours do not count, and 0 without values', () => {
    assert.equal(varianceOfSum(Float64Array.of(3, -4), 1), 25);
    assert.equal(varianceOfSum(new Float64Array(0), 3), 0);
  });
});
