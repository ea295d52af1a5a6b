import assert from 'node:assert/strict';
import { totalReturn } from '../../../compute/metrics/returns.js';

describe('totalReturn', () => {
  it('is the change from first to last in percent', () => {
    assert.equal(totalReturn(Float64Array.of(100, 10, 150)), 50);
    assert.equal(totalReturn(Float64Array.of(100, 25)), -75);
    assert.equal(totalReturn(Float64Array.of(100)), 0);
  });

  it('is null without equity', () => assert.equal(totalReturn(new Float64Array(0)), null));
});
