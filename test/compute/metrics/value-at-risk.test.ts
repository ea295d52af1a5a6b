import assert from 'node:assert/strict';
import { historicalValueAtRisk, normalValueAtRisk } from '../../../compute/metrics/value-at-risk.js';
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

describe('normalValueAtRisk', () => {
  it('is that of the table of the normal distribution', () => {
    const { valueAtRisk, conditional } = normalValueAtRisk(0.001, 0.02, 0.05);
    assertClose(valueAtRisk, 0.02 * 1.6448536269514722 - 0.001, 'VaR');
    assertClose(conditional, 0.02 * 2.0627128075074256 - 0.001, 'CVaR');
  });
});
