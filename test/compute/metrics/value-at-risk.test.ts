import assert from 'node:assert/strict';
import { historicalValueAtRisk, lognormalValueAtRisk } from '../../../compute/metrics/value-at-risk.js';
import { assertClose } from '../../support/numbers/close-to.js';

describe('historicalValueAtRisk', () => {
  it('is minus the quantile, and minus the mean of what lies at or below it', () => {
    const ascending = Float64Array.from({ length: 101 }, (_, i) => (i - 50) / 100);
    const { valueAtRisk, conditional, tail } = historicalValueAtRisk(ascending, 0.05);
    assertClose(valueAtRisk, 0.45, 'VaR');
    // -0.50 to -0.45.
    assertClose(conditional, 0.475, 'CVaR');
    assert.equal(tail, 6);
  });

  it('is the worst of few returns, and below 0 where all gained', () => {
    const { valueAtRisk, conditional, tail } = historicalValueAtRisk(Float64Array.of(0.01, 0.02, 0.03), 0.01);
    assertClose(valueAtRisk, -0.0102, 'VaR');
    assert.deepEqual([conditional, tail], [-0.01, 1]);
  });
});

describe('lognormalValueAtRisk', () => {
  it('is that of SciPy: lognorm(deviation).ppf, and the mean of its tail', () => {
    for (const [deviation, share, expected, tail] of [
      [0.02, 0.05, 0.03236184899838068, 0.0403884779730761],
      [0.5, 0.01, 0.6875072271710336, 0.7332449466893172],
    ]) {
      const { valueAtRisk, conditional } = lognormalValueAtRisk(deviation, share);
      assertClose(valueAtRisk, expected, 'VaR');
      assertClose(conditional, tail, 'CVaR');
    }
  });

  it('loses nothing where price stands still, and never more than all', () => {
    assert.deepEqual(lognormalValueAtRisk(0, 0.05), { valueAtRisk: 0, conditional: 0 });
    const { valueAtRisk, conditional } = lognormalValueAtRisk(3, 0.01);
    assert.ok(valueAtRisk < conditional && conditional < 1);
  });
});
