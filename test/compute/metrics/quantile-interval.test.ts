import assert from 'node:assert/strict';
import { quantileInterval } from '../../../compute/metrics/quantile.js';
import { createRandom } from '../../../compute/model/random.js';

describe('quantileInterval', () => {
  it('is between the ranks of the binomial distribution', () => {
    // n = 100, share 0.5: 50 +/- 9.8, that is 40.2 and 59.8, rounded up.
    const ranks = Float64Array.from({ length: 100 }, (_, i) => i + 1);
    assert.deepEqual(quantileInterval(ranks, 0.5), { low: 41, high: 60 });
    // n = 730, share 0.05: 36.5 +/- 11.54.
    const days = Float64Array.from({ length: 730 }, (_, i) => i + 1);
    assert.deepEqual(quantileInterval(days, 0.05), { low: 25, high: 49 });
  });

  it('is open where the values do not reach as far', () => {
    assert.deepEqual(
      quantileInterval(
        Float64Array.from({ length: 100 }, (_, i) => i + 1),
        0.01,
      ),
      { low: null, high: 3 },
    );
    assert.deepEqual(quantileInterval(Float64Array.of(1, 2), 0.99), { low: 2, high: null });
    assert.deepEqual(quantileInterval([], 0.5), { low: null, high: null });
  });

  it('holds the true quantile in about 95 of 100 samples, whatever the distribution', () => {
    const random = createRandom(3);
    for (const [share, count] of [
      [0.05, 365],
      [0.01, 730],
    ]) {
      let held = 0;
      for (let run = 0; run < 1_000; run++) {
        const sample = Float64Array.from({ length: count }, () => Math.exp(5 * random.unit())).sort();
        const { low, high } = quantileInterval(sample, share);
        held += Number((low ?? 0) <= Math.exp(5 * share) && high! >= Math.exp(5 * share));
      }
      assert.ok(held > 925 && held < 985, `${held} of 1000 at ${share}`);
    }
  });
});
