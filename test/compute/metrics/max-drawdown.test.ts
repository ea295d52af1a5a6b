import assert from 'node:assert/strict';
import fc from 'fast-check';
import { maxDrawdown } from '../../../compute/metrics/drawdowns.js';

describe('maxDrawdown', () => {
  it('is the deepest fall from the highest value before it, in percent', () => {
    assert.equal(maxDrawdown(Float64Array.of(100, 80, 200, 150, 190, 120, 210)), -40);
    assert.equal(maxDrawdown(Float64Array.of(100, 50, 200, 150)), -50);
  });

  it('is 0 where equity never falls, of one value too', () => {
    assert.equal(maxDrawdown(Float64Array.of(100, 100, 101)), 0);
    assert.equal(maxDrawdown(Float64Array.of(100)), 0);
  });

  it('is null without equity', () => assert.equal(maxDrawdown(new Float64Array(0)), null));

  it('is the lowest of all values over all values before them', () => {
    const values = fc.array(fc.double({ min: 1e-6, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(values, (equity) => {
        const falls = equity.flatMap((value, i) => equity.slice(0, i + 1).map((peak) => value / peak - 1));
        const difference = maxDrawdown(Float64Array.from(equity))! - Math.min(...falls) * 100;
        assert.ok(Math.abs(difference) < 1e-10);
      }),
      { seed: 6 },
    );
  });
});
