import assert from 'node:assert/strict';
import { correlationInterval } from '../../../compute/metrics/correlation-interval.js';
import { createRandom, type Random } from '../../../compute/model/random.js';
import { naiveCorrelation } from '../../support/naive/naive-correlation.js';
import { assertClose } from '../../support/numbers/close-to.js';
import { normalDraw } from '../../support/processes/normal-draw.js';
import { tailWeight } from '../../support/processes/tail-weight.js';

const correlated = (count: number, random: Random, weight: () => number): [number[], number[]] => {
  const x: number[] = [];
  const y: number[] = [];
  for (let i = 0; i < count; i++) {
    const [common, own, wild] = [normalDraw(random), normalDraw(random), weight()];
    x.push(wild * common);
    y.push(wild * (0.6 * common + 0.8 * own));
  }
  return [x, y];
};

const intervalOf = (x: readonly number[], y: readonly number[]) =>
  correlationInterval(Float64Array.from(x), Float64Array.from(y));

/** The error of the jackknife with the correlation computed anew without each pair. */
function naiveError(x: readonly number[], y: readonly number[]): number {
  const middle = Math.atanh(naiveCorrelation(x, y));
  const squares = x.map((_, i) => {
    const [xs, ys] = [x, y].map((values) => values.filter((_, k) => k !== i));
    return (Math.atanh(naiveCorrelation(xs, ys)) - middle) ** 2;
  });
  return Math.sqrt(((x.length - 1) / x.length) * squares.reduce((sum, value) => sum + value, 0));
}

describe('correlationInterval', () => {
  it("takes the larger of Fisher's error and the jackknife's", () => {
    const random = createRandom(3);
    let wider = 0;
    for (let run = 0; run < 40; run++) {
      const [x, y] = correlated(5 + run, random, () => 1);
      const { correlation, low, high } = intervalOf(x, y);
      const error = Math.max(1 / Math.sqrt(x.length - 3), naiveError(x, y));
      wider += Number(error > 1 / Math.sqrt(x.length - 3));
      const score = 0.5 * Math.log((1 + correlation!) / (1 - correlation!));
      const back = (value: number) => (Math.exp(2 * value) - 1) / (Math.exp(2 * value) + 1);
      assertClose(correlation, naiveCorrelation(x, y), 'correlation');
      assertClose(low, back(score - 1.959963984540054 * error), 'low');
      assertClose(high, back(score + 1.959963984540054 * error), 'high');
    }
    assert.ok(wider > 5 && wider < 35, `${wider} of 40`);
  });

  it('holds the true correlation in about 95 of 100 samples, and in 93 where both are wild at the same times', () => {
    const random = createRandom(7);
    const heldOf = (weight: () => number) => {
      let held = 0;
      for (let run = 0; run < 2_000; run++) {
        const { low, high } = intervalOf(...correlated(30, random, weight));
        held += Number(low! <= 0.6 && high! >= 0.6);
      }
      return held / 2_000;
    };
    const [normal, heavy] = [heldOf(() => 1), heldOf(() => tailWeight(random))];
    assert.ok(Math.abs(normal - 0.955) < 0.015, `${normal}`);
    // Fisher's error alone: 0.77.
    assert.ok(heavy > 0.91 && heavy < 0.97, `${heavy}`);
  });

  it('is a point for a perfect correlation, and none for fewer than four pairs or no correlation', () => {
    const x = [1, 2, 4, 3, 7, 5];
    const twice = x.map((value) => 2 * value);
    assert.deepEqual(intervalOf(x, twice), { correlation: 1, low: 1, high: 1, reason: null });
    const minus = x.map((value) => -value);
    assert.deepEqual(intervalOf(x, minus), { correlation: -1, low: -1, high: -1, reason: null });
    const few = intervalOf([1, 2, 3], [1, 3, 2]);
    assert.deepEqual(few, {
      correlation: 0.5,
      low: null,
      high: null,
      reason: 'an interval needs four values, found 3',
    });
    assert.deepEqual(intervalOf([1], [2]), {
      ...{ correlation: null, low: null, high: null },
      reason: 'a correlation needs two values, found 1',
    });
    assert.deepEqual(intervalOf(x, [5, 5, 5, 5, 5, 5]), {
      correlation: null,
      low: null,
      high: null,
      reason: 'one of the two does not vary',
    });
  });

  it('says nothing where a single pair decides whether a series varies, and much where all but agree', () => {
    const x = [0, 0, 0, 0, 9, 0, 0, 0];
    const { low, high } = intervalOf(x, [1, 3, 2, 5, 4, 1, 2, 6]);
    assert.deepEqual([low, high], [-1, 1]);
    const near = intervalOf([1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 7, 8.000001]);
    assert.ok(near.low! > 0.999999 && near.high! <= 1, `${near.low} to ${near.high}`);
  });
});
