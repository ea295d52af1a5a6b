import assert from 'node:assert/strict';
import fc from 'fast-check';
import { placeNth, quantile, quantileOfUnsorted } from '../../../compute/metrics/quantile.js';

/** Few different values, so that many are equal; or any. */
const values = fc.oneof(
  fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 60 }),
  fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 300 }),
);

describe('quantile', () => {
  it('lies where numpy.quantile and Hyndman and Fan 7 put it', () => {
    assert.deepEqual(
      [0, 0.25, 0.5, 0.9, 1].map((share) => quantile([1, 2, 4, 8, 16], share)),
      [1, 2, 4, 12.8, 16],
    );
    assert.ok(Number.isNaN(quantile([], 0.5)));
  });
});

describe('quantileOfUnsorted', () => {
  it('is NaN of nothing', () => assert.ok(Number.isNaN(quantileOfUnsorted(new Float64Array(), 0.9))));

  it('is the quantile of the sorted values, to the last bit', () => {
    fc.assert(
      fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (given, share) => {
        const expected = quantile(Float64Array.from(given).sort(), share);
        assert.equal(quantileOfUnsorted(Float64Array.from(given), share) + 0, expected + 0);
      }),
    );
  });

  it('takes values that are sorted, or stand still, as they come', () => {
    const ascending = Float64Array.from({ length: 720 }, (_, n) => n);
    assert.equal(quantileOfUnsorted(ascending.slice(), 0.9), quantile(ascending, 0.9));
    assert.equal(quantileOfUnsorted(ascending.slice().reverse(), 0.9), quantile(ascending, 0.9));
    assert.equal(quantileOfUnsorted(new Float64Array(720).fill(2), 0.9), 2);
  });
});

describe('placeNth', () => {
  it('has none greater before and none less after, and loses no value', () => {
    fc.assert(
      fc.property(values, fc.nat(), (given, some) => {
        const n = some % given.length;
        const moved = Float64Array.from(given);
        const nth = placeNth(moved, n);
        assert.ok(moved.subarray(0, n).every((value) => value <= nth));
        assert.ok(moved.subarray(n).every((value) => value >= nth));
        assert.deepEqual(moved.sort(), Float64Array.from(given).sort());
      }),
    );
  });
});
