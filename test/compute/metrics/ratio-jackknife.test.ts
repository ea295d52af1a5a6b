import assert from 'node:assert/strict';
import { jackknifeInterval, jackknifeMean } from '../../../compute/metrics/ratio-jackknife.js';
import { meanInterval } from '../../../compute/metrics/mean-interval.js';
import { createRandom } from '../../../compute/model/random.js';
import { normalDraw } from '../../support/processes/normal-draw.js';
import { assertClose } from '../../support/numbers/close-to.js';

const sums = (periods: readonly (readonly number[])[]) =>
  periods.map((values) => ({ count: values.length, sum: values.reduce((all, value) => all + value, 0) }));

describe('jackknifeMean', () => {
  it("is Student's interval where every period has one value", () => {
    const random = createRandom(1);
    const values = Array.from({ length: 12 }, () => normalDraw(random));
    const { low, high } = jackknifeInterval(jackknifeMean(sums(values.map((value) => [value])))!);
    const expected = meanInterval(values);
    assertClose(low, expected.low, 'low');
    assertClose(high, expected.high, 'high');
  });

  it('counts what is repeated within a period once', () => {
    const values = [3, 1, 4, 1, 5, 9];
    const once = jackknifeMean(sums(values.map((value) => [value])))!;
    const often = jackknifeMean(sums(values.map((value) => Array<number>(100).fill(value))))!;
    assertClose(often.value, once.value, 'value');
    assertClose(often.error, once.error, 'error');
  });

  it('covers the mean of values that hang together in 93 to 97 % of samples', () => {
    let covered = 0;
    const samples = 1_000;
    for (let n = 0; n < samples; n++) {
      const random = createRandom(n + 1);
      const periods = Array.from({ length: 20 }, () => {
        const level = normalDraw(random);
        return Array.from(
          { length: 1 + Math.floor(random.unit() * 4) },
          () => level + normalDraw(random) / 5,
        );
      });
      const { low, high } = jackknifeInterval(jackknifeMean(sums(periods))!);
      covered += Number(low <= 0 && 0 <= high);
    }
    assert.ok(covered >= 930 && covered <= 970, `${covered} of ${samples}`);
  });

  it('compares two means that rise and fall together', () => {
    const random = createRandom(5);
    const levels = Array.from({ length: 30 }, () => 10 * normalDraw(random));
    const one = levels.map((level) => [level + 1, level + 1.1]);
    const other = levels.map((level) => [level]);
    const { value, error, degrees } = jackknifeMean(sums(one), sums(other))!;
    assert.ok(Math.abs(value - 1.05) < 1e-9 && error < 1e-9 && degrees === 29);
  });

  it('has nothing to say of no values, or of a single period', () => {
    const empty = { count: 0, sum: 0 };
    assert.equal(jackknifeMean([]), null);
    assert.equal(jackknifeMean([empty, empty]), null);
    assert.equal(jackknifeMean([{ count: 5, sum: 3 }, empty]), null);
  });
});
