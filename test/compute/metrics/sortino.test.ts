import assert from 'node:assert/strict';
import { sortino } from '../../../compute/metrics/return-ratios.js';
import { assertClose } from '../../support/numbers/close-to.js';

describe('sortino', () => {
  it('is mean over the root mean square of the losses, all returns counted, times the root of the candles in a year', () => {
    // Mean 0.02, downside sqrt((0.03^2 + 0.01^2) / 4).
    const returns = Float64Array.of(0.05, -0.03, 0.07, -0.01);
    assertClose(sortino(returns, 365), (0.02 / Math.sqrt(0.001 / 4)) * Math.sqrt(365), 'sortino');
  });

  it('is null where nothing was lost, and without returns', () => {
    assert.equal(sortino(Float64Array.of(0, 0.1), 365), null);
    assert.equal(sortino(new Float64Array(0), 365), null);
  });
});
