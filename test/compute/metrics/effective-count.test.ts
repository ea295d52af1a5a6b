import assert from 'node:assert/strict';
import fc from 'fast-check';
import { effectiveCount } from '../../../compute/metrics/effective-count.js';

const countOf = (cases: readonly [start: number, length: number][], size: number) =>
  effectiveCount(
    Int32Array.from(cases, ([start]) => start),
    Int32Array.from(cases, ([, length]) => length),
    size,
  );

describe('effectiveCount', () => {
  it('counts cases apart as they are, and equal ones once', () => {
    assert.equal(
      countOf(
        [
          [0, 3],
          [3, 2],
          [6, 1],
        ],
        7,
      ),
      3,
    );
    assert.equal(
      countOf(
        [
          [2, 3],
          [2, 3],
          [2, 3],
          [2, 3],
        ],
        9,
      ),
      1,
    );
    assert.equal(countOf([], 5), 0);
  });

  it('is the sum of mean uniqueness', () => {
    // The first lives on 0, 1, 2 and shares 2; the second on 2, 3: (1 + 1 + 1/2) / 3 + (1/2 + 1) / 2.
    assert.ok(
      Math.abs(
        countOf(
          [
            [0, 3],
            [2, 2],
          ],
          4,
        ) -
          (2.5 / 3 + 0.75),
      ) < 1e-15,
    );
  });

  it('lies above 0 and at or below the number of cases', () => {
    const one = fc.tuple(fc.nat(30), fc.integer({ min: 1, max: 10 }));
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 30 }), (cases) => {
        const found = countOf(cases, 41);
        assert.ok(found > 0 && found <= cases.length + 1e-9);
      }),
    );
  });
});
