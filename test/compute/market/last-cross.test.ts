import assert from 'node:assert/strict';
import { lastCross } from '../../../compute/market/last-cross.js';

/** A line against 0, one candle per millisecond. */
const crossOf = (...line: number[]) => {
  const fast = Float64Array.from(line);
  return lastCross(
    fast.map((_, i) => i),
    fast,
    new Float64Array(line.length),
    0.01,
  );
};

describe('lastCross', () => {
  it('is the first candle on the new side', () => {
    assert.deepEqual(crossOf(-1, 1, 2, 3), { way: 'up', time: 1, candlesAgo: 2 });
    assert.deepEqual(crossOf(1, -1, 1, -2), { way: 'down', time: 3, candlesAgo: 0 });
  });

  it('takes no touch for a cross, and waits until a line that lies on the other has left it', () => {
    assert.equal(crossOf(1, 0, 1), null);
    assert.deepEqual(crossOf(-1, 0, 0.005, 1, 1), { way: 'up', time: 3, candlesAgo: 1 });
    assert.deepEqual(crossOf(-1, 1, 0, 0), { way: 'up', time: 1, candlesAgo: 2 });
  });

  it('knows none before there were values on either side', () => {
    assert.equal(crossOf(), null);
    assert.equal(crossOf(NaN, NaN, 1), null);
    assert.equal(crossOf(0, 0), null);
  });
});
