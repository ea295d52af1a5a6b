import assert from 'node:assert/strict';
import fc from 'fast-check';
import { accountDrawdown, maxDrawdown } from '../../../compute/metrics/drawdowns.js';

const drawdown = (equity: number[], lowest: number[]) =>
  accountDrawdown(Float64Array.from(equity), Float64Array.from(lowest));

describe('accountDrawdown', () => {
  it('falls from the highest close before to the close and to the low', () => {
    assert.deepEqual(drawdown([100, 80, 200, 150, 190], [100, 50, 70, 100, 150]), {
      onCloses: -25,
      onLows: -50,
    });
  });

  it('does not count the low of the candle that sets the peak', () => {
    assert.deepEqual(drawdown([100, 200], [100, 100]), { onCloses: 0, onLows: 0 });
    assert.deepEqual(drawdown([100, 200], [100, 90]).onLows!.toFixed(9), '-10.000000000');
    assert.deepEqual(drawdown([100], [1]), { onCloses: 0, onLows: 0 });
  });

  it('is null without equity', () => assert.deepEqual(drawdown([], []), { onCloses: null, onLows: null }));

  it('is the lowest of all lows over all closes before them', () => {
    const value = fc.double({ min: 1e-6, max: 1e9, noNaN: true });
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(value, share), { minLength: 1, maxLength: 60, size: 'max' }), (rows) => {
        const equity = rows.map(([close]) => close);
        const lowest = rows.map(([close, part]) => close * part);
        const { onCloses, onLows } = drawdown(equity, lowest);
        const falls = lowest.flatMap((low, i) => equity.slice(0, i).map((peak) => low / peak - 1));
        assert.ok(Math.abs(onLows! - Math.min(0, ...falls) * 100) < 1e-10);
        assert.ok(Math.abs(onCloses! - maxDrawdown(Float64Array.from(equity))!) < 1e-10);
        assert.ok(onLows! <= onCloses!);
      }),
      { seed: 6 },
    );
  });
});
