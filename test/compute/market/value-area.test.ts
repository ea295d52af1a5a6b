import assert from 'node:assert/strict';
import { findValueArea } from '../../../compute/market/value-area.js';
import { createCandles } from '../../../compute/model/candles.js';
import { flatCandles } from '../../support/candles/odd-candles.js';
import { randomCandles } from '../../support/candles/random-candles.js';

/** Candles of the given low, high and volume, each closing in its middle. */
function candlesOf(...rows: (readonly [low: number, high: number, volume: number])[]) {
  const candles = createCandles(rows.length);
  rows.forEach(([low, high, volume], i) => {
    candles.low[i] = low;
    candles.high[i] = high;
    candles.close[i] = (low + high) / 2;
    candles.volume[i] = volume;
  });
  return candles;
}

describe('findValueArea', () => {
  it('is the seventy middle bins of a volume that is spread evenly', () => {
    const { poc, vah, val, volumePercent } = findValueArea(candlesOf([0, 100, 1000]))!;
    assert.ok(Math.abs(poc - 50) <= 0.5 && Math.abs(vah - val - 70) <= 1, `${poc} ${val} ${vah}`);
    assert.ok(Math.abs((vah + val) / 2 - 50) <= 1);
    assert.ok(volumePercent >= 70 - 1e-9 && volumePercent < 71.1);
  });

  it('gathers around the price at which most was traded', () => {
    const area = findValueArea(candlesOf([0, 100, 10], [20, 21, 90], [79, 80, 5]))!;
    assert.equal(area.poc, 20.5);
    assert.deepEqual([area.val, area.vah], [20, 21]);
    assert.equal(area.position, 'above');
  });

  it('stays within the range, around the point of control, and holds no bin more than it must', () => {
    for (let seed = 1; seed <= 50; seed++) {
      const candles = randomCandles(200, { seed });
      const { poc, vah, val, volumePercent, binHeight } = findValueArea(candles)!;
      assert.ok(val < poc && poc < vah);
      assert.ok(
        val >= Math.min(...candles.low) - binHeight / 2 && vah <= Math.max(...candles.high) + binHeight / 2,
      );
      assert.ok(volumePercent >= 70 && volumePercent < 76, `${volumePercent}`);
    }
  });

  it('is one price where price never moved, and nothing without volume', () => {
    const area = findValueArea(flatCandles(50, 100))!;
    assert.deepEqual([area.poc, area.vah, area.val, area.position], [100, 100, 100, 'inside']);
    assert.ok(Math.abs(area.volumePercent - 100) < 1e-9);
    assert.equal(findValueArea(candlesOf([1, 2, 0])), null);
  });
});
