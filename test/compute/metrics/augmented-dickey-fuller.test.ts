import assert from 'node:assert/strict';
import { augmentedDickeyFuller } from '../../../compute/metrics/augmented-dickey-fuller.js';
import { readUnitRoots } from '../../support/numbers/unit-roots.js';

const near = (found: number, expected: number, reach: number, what: string) =>
  assert.ok(Math.abs(found - expected) <= reach, `${what}: found ${found}, expected ${expected}`);

describe('augmentedDickeyFuller', () => {
  const { adf, series } = readUnitRoots();

  for (const { series: name, form, statistic, p, lags, count } of adf)
    it(`equals statsmodels on ${name}, ${form}`, () => {
      const found = augmentedDickeyFuller(Float64Array.from(series[name]), form)!;
      assert.deepEqual([found.lags, found.count], [lags, count]);
      near(found.statistic, statistic, 1e-6 * Math.max(1, Math.abs(statistic)), 'statistic');
      near(found.p, p, 1e-6, 'p');
    });

  it('does not depend on the unit, nor, beside a constant, on the level', () => {
    const walk = Float64Array.from(series['random walk']);
    const expected = augmentedDickeyFuller(walk)!;
    for (const [factor, level] of [
      [1e-8, 0],
      [1e8, 0],
      [1, 1e6],
    ]) {
      const found = augmentedDickeyFuller(walk.map((value) => value * factor + level))!;
      assert.equal(found.lags, expected.lags);
      near(found.statistic, expected.statistic, 1e-6, `${factor} ${level}`);
    }
  });

  it('says nothing of too few values, of none that vary, and of a straight line', () => {
    for (const values of [[], [1], [1, 2], [1, 2, 4], Array<number>(50).fill(3)])
      assert.equal(augmentedDickeyFuller(Float64Array.from(values)), null);
    assert.equal(augmentedDickeyFuller(Float64Array.of(1, 2), 'none'), null);
    assert.equal(augmentedDickeyFuller(Float64Array.from({ length: 60 }, (_, i) => 7 + 0.1 * i)), null);
  });

  it('leaves its input as it is', () => {
    const values = Float64Array.from(series.short);
    augmentedDickeyFuller(values);
    assert.deepEqual([...values], series.short);
  });
});
