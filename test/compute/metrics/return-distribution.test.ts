import assert from 'node:assert/strict';
import { returnDistribution } from '../../../compute/metrics/return-distribution.js';

describe('returnDistribution', () => {
  it('gives mean, quartiles and the share of rises', () => {
    // Quartiles as numpy.percentile gives; Wilson's interval of 3 in 5 as in Newcombe's tables: 23.1 % to 88.2 %.
    const found = returnDistribution(Float64Array.of(4, -1, 10, 0, 2));
    assert.deepEqual([found.count, found.independent, found.meanPercent, found.upPercent], [5, 5, 3, 60]);
    assert.deepEqual(
      [found.lowerQuartilePercent, found.medianPercent, found.upperQuartilePercent],
      [0, 2, 4],
    );
    assert.ok(Math.abs(found.upLowPercent! - 23.07) < 0.01 && Math.abs(found.upHighPercent! - 88.24) < 0.01);
  });

  it('has a wider interval where returns overlap', () => {
    const values = Float64Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? 1 : -1));
    const [apart, overlapping] = [returnDistribution(values), returnDistribution(values, 10)];
    assert.equal(overlapping.upPercent, apart.upPercent);
    assert.ok(
      overlapping.upLowPercent! < apart.upLowPercent! && overlapping.upHighPercent! > apart.upHighPercent!,
    );
  });

  it('has nothing to say of none', () => {
    const { count, reason, ...rest } = returnDistribution(new Float64Array(0));
    assert.equal(reason, 'there are no returns');
    assert.equal(count, 0);
    assert.ok(Object.values(rest).every((value) => value === null || value === 0));
  });
});
