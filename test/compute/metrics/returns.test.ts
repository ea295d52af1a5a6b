import assert from 'node:assert/strict';
import { candleReturns, mean } from '../../../compute/metrics/returns.js';

describe('candleReturns', () => {
  it('are the changes from each value to the next, as fractions', () => {
    assert.deepEqual(candleReturns(Float64Array.of(100, 150, 75, 75)), Float64Array.of(0.5, -0.5, 0));
  });

  it('are none of fewer than two values', () => {
    assert.equal(candleReturns(new Float64Array(0)).length, 0);
    assert.equal(candleReturns(Float64Array.of(1)).length, 0);
  });
});

describe('mean', () => {
  it('is the arithmetic one, NaN of nothing', () => {
    assert.equal(mean(Float64Array.of(1, 2, 6)), 3);
    assert.ok(Number.isNaN(mean(new Float64Array(0))));
  });
});
