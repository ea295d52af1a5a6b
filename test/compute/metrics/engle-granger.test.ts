import assert from 'node:assert/strict';
import { engleGranger } from '../../../compute/metrics/engle-granger.js';
import { readUnitRoots } from '../../support/numbers/unit-roots.js';

describe('engleGranger', () => {
  const { cointegration, series } = readUnitRoots();
  const column = (name: string) => Float64Array.from(series[name]);

  for (const { y, x, statistic, p } of cointegration)
    it(`equals statsmodels on ${y} against ${x}`, () => {
      const { test } = engleGranger(column(y), column(x).slice(0, series[y].length))!;
      assert.ok(
        Math.abs(test!.statistic - statistic) <= 1e-6,
        `found ${test!.statistic}, expected ${statistic}`,
      );
      assert.ok(Math.abs(test!.p - p) <= 1e-6, `found ${test!.p}, expected ${p}`);
    });

  it('leaves a spread whose mean is 0 and which has nothing in common with x', () => {
    const [x, y] = [column('random walk'), column('partner of the walk')];
    const { spread, slope, intercept } = engleGranger(y, x)!;
    spread.forEach((value, i) => assert.ok(Math.abs(y[i] - (intercept + slope * x[i] + value)) < 1e-12));
    assert.ok(Math.abs(spread.reduce((sum, value) => sum + value, 0)) < 1e-9);
    assert.ok(Math.abs(spread.reduce((sum, value, i) => sum + value * x[i], 0)) < 1e-9);
  });

  it('has no test where the line leaves nothing, and nothing at all where one does not vary', () => {
    const x = column('random walk');
    const same = engleGranger(
      x.map((value) => 2 + 3 * value),
      x,
    )!;
    assert.equal(same.test, null);
    assert.ok(Math.abs(same.slope - 3) < 1e-9);
    const flat = new Float64Array(500).fill(5);
    assert.deepEqual([engleGranger(x, flat), engleGranger(flat, x)], [null, null]);
    assert.equal(engleGranger(x.slice(0, 2), flat.slice(0, 2)), null);
  });
});
