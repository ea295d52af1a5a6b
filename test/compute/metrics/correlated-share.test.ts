import assert from 'node:assert/strict';
import { blockWidening, correlatedShare } from '../../../compute/metrics/correlated-share.js';
import { createRandom } from '../../../compute/model/random.js';

describe('blockWidening', () => {
  it('is 1 for blocks of no length, and the tabulated quantile over 1.96 else', () => {
    assert.equal(blockWidening(0), 1);
    // Kiefer and Vogelsang, 2005, table 1: 97.5 % quantiles of Bartlett's kernel, b = 0.2 and 1.
    assert.ok(Math.abs(1.96 * blockWidening(0.2) - 2.566) < 0.01);
    assert.ok(Math.abs(1.96 * blockWidening(1) - 4.813) < 0.01);
  });
});

describe('correlatedShare', () => {
  /** Bartlett's kernel term by term: the covariance at lag k counts 1 - k / block. */
  function byKernel(values: readonly number[], block: number): number {
    const average = values.reduce((sum, value) => sum + value, 0) / values.length;
    const covariance = (lag: number) =>
      values.slice(lag).reduce((sum, value, i) => sum + (value - average) * (values[i] - average), 0);
    const later = Array.from({ length: block - 1 }, (_, n) => 2 * (1 - (n + 1) / block) * covariance(n + 1));
    return later.reduce((sum, value) => sum + value, covariance(0)) / covariance(0);
  }

  it('compares the variance by blocks of a fifth with that of independent returns', () => {
    const random = createRandom(3);
    const values = Array.from({ length: 103 }, () => random.unit() - 0.4);
    const found = correlatedShare(Float64Array.from(values));
    const expected = byKernel(values, 20) * blockWidening(20 / 103) ** 2;
    assert.ok(Math.abs(found / expected - 1) < 1e-12, `${found} ${expected}`);
  });

  it('is larger where returns follow their predecessors, and smaller where they reverse them', () => {
    const trends = Float64Array.from({ length: 200 }, (_, i) => Math.sin(i / 10));
    const reversals = Float64Array.from({ length: 200 }, (_, i) => (i % 2 === 0 ? 1 : -1));
    assert.ok(correlatedShare(trends) > 5);
    assert.ok(correlatedShare(reversals) < 0.2);
  });

  it('is 1 where returns do not vary, and of none', () => {
    assert.equal(correlatedShare(new Float64Array(50)), 1);
    assert.equal(correlatedShare(new Float64Array(0)), 1);
  });
});
