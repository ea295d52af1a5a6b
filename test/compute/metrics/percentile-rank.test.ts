import assert from 'node:assert/strict';
import { percentileRank } from '../../../compute/metrics/quantile.js';

describe('percentileRank', () => {
  // scipy.stats.percentileofscore(values, score, kind='mean')
  const values = Float64Array.of(1, 2, 3, 3, 4);
  for (const [value, expected] of [
    [0, 0],
    [1, 10],
    [3, 60],
    [3.5, 80],
    [4, 90],
    [9, 100],
  ])
    it(`is ${expected} for ${value} among 1, 2, 3, 3, 4`, () => {
      assert.ok(Math.abs(percentileRank(values, value) - expected) < 1e-12);
    });

  it('is the middle of equal values, and nothing of none', () => {
    assert.equal(percentileRank(new Float64Array(7).fill(3), 3), 50);
    assert.ok(Number.isNaN(percentileRank(new Float64Array(), 3)));
  });
});
