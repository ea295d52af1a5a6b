import assert from 'node:assert/strict';
import fc from 'fast-check';
import { drawdowns, maxDrawdown } from '../../../compute/metrics/drawdowns.js';
import { assertClose } from '../../support/numbers/close-to.js';

describe('drawdowns', () => {
  it('begin at the last high, reach their first lowest value and end when the high is back', () => {
    assert.deepEqual(drawdowns(Float64Array.of(1, 2, 2, 1, 1, 1.5, 2, 4, 3)), [
      { peak: 2, trough: 3, recovery: 6, depth: -0.5 },
      { peak: 7, trough: 8, recovery: null, depth: -0.25 },
    ]);
  });

  it('are none where nothing falls, of one value and of none', () => {
    for (const values of [[], [1], [1, 1, 2, 3]]) assert.deepEqual(drawdowns(Float64Array.from(values)), []);
  });

  it('do not overlap, and the deepest is the maximum drawdown', () => {
    const value = fc.double({ min: 0.1, max: 10, noNaN: true });
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 40 }), (list) => {
        const values = Float64Array.from(list);
        const found = drawdowns(values);
        found.forEach(({ peak, trough, recovery, depth }, n) => {
          const end = recovery ?? values.length;
          assert.ok(peak < trough && trough < end && depth < 0);
          assert.ok(values.subarray(peak + 1, end).every((each) => each < values[peak]));
          if (n > 0) assert.ok(found[n - 1].recovery! <= peak);
        });
        const deepest = Math.min(0, ...found.map(({ depth }) => depth));
        assertClose(maxDrawdown(values), deepest * 100, 'deepest');
      }),
    );
  });
});
