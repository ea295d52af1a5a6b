import assert from 'node:assert/strict';
import { correlation } from '../../../compute/metrics/correlation.js';
import { holm } from '../../../compute/metrics/holm.js';
import { linearRegression } from '../../../compute/metrics/linear-regression.js';
import { normalCdf, normalQuantile } from '../../../compute/metrics/normal.js';
import { luckiestSharpe } from '../../../compute/metrics/luckiest-sharpe.js';
import { probabilisticSharpe } from '../../../compute/metrics/sharpe-error.js';
import { proportionInterval } from '../../../compute/metrics/mean-interval.js';
import { quantile } from '../../../compute/metrics/quantile.js';
import { standardDeviation } from '../../../compute/metrics/moments.js';
import { studentP } from '../../../compute/metrics/student.js';
import { createRandom } from '../../../compute/model/random.js';
import { assertClose } from '../../support/numbers/close-to.js';
import { readFixture } from '../../support/candles/fixture.js';

interface Sample {
  values: number[];
  other: number[];
  quantiles: [number, number][];
  standardDeviation: number;
  correlation: number;
  /** Slope, intercept, R squared and the standard error of the slope. */
  line: [number, number, number, number];
  probabilisticSharpe: [number, number][];
}

/** Made by test/fixtures/make-statistics.py with numpy, scipy and statsmodels. */
const fixture = readFixture('statistics.json.gz') as {
  normalCdf: [number, number][];
  normalQuantile: [number, number][];
  studentP: [number, number, number][];
  proportions: [number, number, number, number][];
  holm: [number[], number[]][];
  samples: Sample[];
};

const column = (values: readonly number[]) => Float64Array.from(values);

describe('statistics against scipy', () => {
  it('gives the normal distribution and its quantiles', () => {
    for (const [z, expected] of fixture.normalCdf) assertClose(normalCdf(z), expected, `cdf of ${z}`);
    for (const [p, expected] of fixture.normalQuantile)
      assertClose(normalQuantile(p), expected, `quantile of ${p}`);
  });

  it("gives Student's two-sided p-value for any degrees of freedom", () => {
    for (const [t, degrees, expected] of fixture.studentP) {
      const found = studentP(t, degrees);
      // Logarithms of large gamma functions leave fewer digits to their difference.
      const tolerance = degrees > 1e4 ? 1e-7 : 1e-9;
      const message = `t ${t}, ${degrees} degrees: found ${found}, expected ${expected}`;
      assert.ok(Math.abs(found - expected) <= tolerance * expected + 1e-300, message);
    }
    assert.ok(Number.isNaN(studentP(NaN, 5)));
    assert.equal(studentP(Infinity, 5), 0);
  });

  it("gives Wilson's interval of a share", () => {
    for (const [hits, cases, low, high] of fixture.proportions) {
      const found = proportionInterval(hits, cases);
      assert.equal(found.share, hits / cases);
      assert.ok(Math.abs(found.low! - low) < 1e-12, `low of ${hits} in ${cases}`);
      assert.ok(Math.abs(found.high! - high) < 1e-12, `high of ${hits} in ${cases}`);
    }
    assert.deepEqual(proportionInterval(0, 0), {
      ...{ count: 0, share: null, low: null, high: null },
      reason: 'there are no cases',
    });
  });

  it("corrects p-values by Holm's procedure, in the order given", () => {
    for (const [pValues, expected] of fixture.holm)
      holm(pValues).forEach((value, n) => assertClose(value, expected[n], `p-value ${n}`));
    assert.deepEqual(holm([]), []);
  });

  it('gives quantiles, deviation, correlation and the line of a sample', () => {
    for (const sample of fixture.samples) {
      const [x, y] = [column(sample.values), column(sample.other)];
      const ascending = x.slice().sort();
      for (const [share, expected] of sample.quantiles)
        assertClose(quantile(ascending, share), expected, `quantile ${share}`);
      assertClose(standardDeviation(x), sample.standardDeviation, 'standard deviation');
      assertClose(correlation(x, y), sample.correlation, 'correlation');
      const line = linearRegression(x, y)!;
      const [slope, intercept, rSquared, slopeError] = sample.line;
      assertClose(line.slope, slope, 'slope');
      assertClose(line.intercept, intercept, 'intercept');
      assertClose(line.rSquared, rSquared, 'R squared');
      assertClose(line.slopeError, slopeError, 'slope error');
      assert.equal(line.count, x.length);
    }
  });

  it('gives the probabilistic Sharpe ratio', () => {
    for (const sample of fixture.samples)
      for (const [benchmark, expected] of sample.probabilisticSharpe)
        assertClose(probabilisticSharpe(column(sample.values), benchmark), expected, `against ${benchmark}`);
  });
});

describe('statistics without meaning', () => {
  const still = Float64Array.of(0.1, 0.1, 0.1, 0.1);
  const moving = Float64Array.of(1, 2, 3, 5);

  it('are null where nothing varies', () => {
    assert.equal(standardDeviation(still), 0);
    assert.equal(correlation(still, moving), null);
    assert.equal(correlation(moving, still), null);
    assert.equal(linearRegression(still, moving), null);
    assert.equal(linearRegression(moving, still)!.rSquared, null);
    assert.equal(probabilisticSharpe(still), null);
    // A ratio whose spread vanishes: gains of one size and losses of another, as often as it takes.
    const [often, seldom] = [1, -1];
    const twoValued = Float64Array.from({ length: 1_000 }, (_, i) => (i % 4 === 0 ? seldom : often) * 0.01);
    const sure = probabilisticSharpe(twoValued);
    assert.ok(sure === null || (sure >= 0 && sure <= 1), String(sure));
  });

  it('are null or NaN of too few values', () => {
    assert.ok(Number.isNaN(quantile([], 0.5)));
    assert.ok(Number.isNaN(standardDeviation(moving.subarray(0, 1))));
    assert.equal(correlation(moving.subarray(0, 1), still.subarray(0, 1)), null);
    assert.equal(linearRegression(moving.subarray(0, 1), still.subarray(0, 1)), null);
    assert.equal(linearRegression(moving.subarray(0, 2), moving.subarray(1, 3))!.slopeError, null);
    assert.equal(probabilisticSharpe(moving.subarray(0, 2)), null);
  });
});

describe('luckiestSharpe', () => {
  it('is the mean of the highest of so many standard normal draws, within 2 %', () => {
    const { unit } = createRandom(5);
    const rounds = 4_000;
    for (const trials of [5, 24, 200]) {
      let sum = 0;
      for (let round = 0; round < rounds; round++) {
        let highest = -Infinity;
        for (let n = 0; n < trials; n++) highest = Math.max(highest, normalQuantile(unit() || 0.5));
        sum += highest;
      }
      const expected = sum / rounds;
      assert.ok(Math.abs(luckiestSharpe(trials, 1) / expected - 1) < 0.03, `of ${trials}`);
      assertClose(luckiestSharpe(trials, 0.3), 0.3 * luckiestSharpe(trials, 1), 'scaled');
    }
    assert.equal(luckiestSharpe(1, 1), 0);
  });
});
