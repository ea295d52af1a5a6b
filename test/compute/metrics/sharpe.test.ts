import assert from 'node:assert/strict';
import { sharpe } from '../../../compute/metrics/return-ratios.js';
import { assertClose } from '../../support/numbers/close-to.js';

describe('sharpe', () => {
  it('is mean over standard deviation (n - 1), times the root of the candles in a year', () => {
    // Mean 0.02, squares 0.0001 + 0 + 0.0001, deviation sqrt(0.0002 / 2) = 0.01.
    assertClose(sharpe(Float64Array.of(0.01, 0.02, 0.03), 2_190), 2 * Math.sqrt(2_190), 'sharpe');
    assertClose(sharpe(Float64Array.of(-0.03, -0.01), 4), (-0.02 / Math.sqrt(0.0002)) * 2, 'of losses');
  });

  it('is null where returns do not vary, and of fewer than two', () => {
    assert.equal(sharpe(Float64Array.of(0, 0, 0), 365), null);
    assert.equal(sharpe(Float64Array.of(0.5, 0.5), 365), null);
    assert.equal(sharpe(Float64Array.of(0.5), 365), null);
    assert.equal(sharpe(new Float64Array(0), 365), null);
  });

  it('is null where returns differ by rounding alone', () => {
    assert.equal(sharpe(new Float64Array(10).fill(0.1), 365), null);
  });
});
