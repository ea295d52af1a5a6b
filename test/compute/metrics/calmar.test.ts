import assert from 'node:assert/strict';
import { calmar } from '../../../compute/metrics/return-ratios.js';
import { assertClose } from '../../support/numbers/close-to.js';

describe('calmar', () => {
  it('is yearly growth over drawdown, both as fractions', () => {
    // 100 to 121 in half a year: 46.41 % a year.
    assertClose(calmar(Float64Array.of(100, 110, 121), -20, 4), 0.4641 / 0.2, 'calmar');
    assertClose(calmar(Float64Array.of(100, 90), -10, 1), -1, 'calmar of a loss');
  });

  it('is null without a drawdown, and with fewer than two values', () => {
    assert.equal(calmar(Float64Array.of(100, 110), 0, 365), null);
    assert.equal(calmar(Float64Array.of(100, 110), null, 365), null);
    assert.equal(calmar(Float64Array.of(100), -10, 365), null);
    assert.equal(calmar(new Float64Array(0), null, 365), null);
  });
});
