import assert from 'node:assert/strict';
import { meanInterval } from '../../../compute/metrics/mean-interval.js';
import { median } from '../../../compute/metrics/quantile.js';
import { studentQuantile } from '../../../compute/metrics/student.js';

describe('meanInterval', () => {
  it('reaches t s / sqrt(n) to both sides of the mean', () => {
    // Mean 5, s = 2.1380899, t(7) = 2.3646243: the interval of these eight values in any textbook.
    const { count, mean, low, high } = meanInterval([2, 4, 4, 4, 5, 5, 7, 9]);
    assert.deepEqual([count, mean], [8, 5]);
    assert.ok(Math.abs(low! - 3.212512) < 1e-4);
    assert.ok(Math.abs(high! - 6.787488) < 1e-4);
  });

  it('has no interval for one value, and no mean for none', () => {
    assert.deepEqual(meanInterval([3]), {
      ...{ count: 1, mean: 3, low: null, high: null },
      reason: 'an interval needs two values, found one',
    });
    assert.deepEqual(meanInterval([]), {
      ...{ count: 0, mean: null, low: null, high: null },
      reason: 'there are no values',
    });
  });
});

describe('studentQuantile', () => {
  // Tables of Student's distribution, 97.5 %.
  const table = [
    [1, 12.7062],
    [2, 4.3027],
    [4, 2.7764],
    [5, 2.5706],
    [10, 2.2281],
    [30, 2.0423],
    [120, 1.9799],
    [1_000_000, 1.96],
  ];
  for (const [degrees, expected] of table) {
    it(`is ${expected} for ${degrees} degrees of freedom`, () => {
      assert.ok(Math.abs(studentQuantile(degrees) - expected) < 4e-4);
    });
  }
});

describe('median', () => {
  it('is the middle value, or the mean of the two middle ones', () => {
    assert.equal(median([3, 1, 2]), 2);
    assert.equal(median([4, 1, 3, 2]), 2.5);
    assert.equal(median([]), null);
  });
});
