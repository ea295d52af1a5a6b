import assert from 'node:assert/strict';
import { mackinnonP } from '../../../compute/metrics/mackinnon-p.js';
import { readUnitRoots } from '../../support/numbers/unit-roots.js';

describe('mackinnonP', () => {
  it('equals statsmodels over its whole range', () => {
    const { mackinnon } = readUnitRoots();
    assert.equal(mackinnon.length, 189);
    for (const { form, series, statistic, p } of mackinnon) {
      const found = form === 'none' ? mackinnonP(statistic, form, 1) : mackinnonP(statistic, form, series);
      assert.ok(
        Math.abs(found - p) <= 1e-12,
        `${form} ${series} ${statistic}: found ${found}, expected ${p}`,
      );
    }
  });

  it("puts 5 % at the critical values of Fuller's and Engle and Granger's tables", () => {
    // Asymptotic 5 % points: MacKinnon 2010, table 2.
    for (const [value, form, series] of [
      [-2.86154, 'constant', 1],
      [-3.33613, 'constant', 2],
    ] as const)
      assert.ok(Math.abs(mackinnonP(value, form, series) - 0.05) < 1e-3);
    assert.ok(Math.abs(mackinnonP(-1.941, 'none', 1) - 0.05) < 1e-3);
  });
});
