import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  candleBytes,
  candleColumns,
  candlesOver,
  copyCandles,
  createCandles,
  firstCandleFrom,
  sliceCandles,
} from '../../../compute/model/candles.js';
import { randomCandles } from '../../support/candles/random-candles.js';

describe('createCandles', () => {
  it('makes equally long columns of zeros, in one buffer', () => {
    const candles = createCandles(3);
    for (const column of candleColumns) assert.deepEqual(candles[column], new Float64Array(3));
    assert.equal(candles.volume.buffer.byteLength, candleBytes(3));
    assert.deepEqual(Object.keys(candles), [...candleColumns]);
  });
});

describe('candlesOver', () => {
  it('finds each column where the order of columns puts it', () => {
    const buffer = Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12).buffer;
    const candles = candlesOver(buffer, 2);
    candleColumns.forEach((column, n) =>
      assert.deepEqual(Array.from(candles[column]), [2 * n + 1, 2 * n + 2], column),
    );
  });
});

describe('sliceCandles', () => {
  it('is a view of every column, not a copy', () => {
    const candles = randomCandles(10);
    const part = sliceCandles(candles, 2, 5);
    for (const column of candleColumns) {
      assert.deepEqual(part[column], candles[column].slice(2, 5), column);
      assert.equal(part[column].buffer, candles[column].buffer);
    }
  });
});

describe('copyCandles', () => {
  it('puts one series behind the other', () => {
    const candles = randomCandles(10);
    const target = createCandles(10);
    copyCandles(sliceCandles(candles, 4, 10), target, 4);
    copyCandles(sliceCandles(candles, 0, 4), target, 0);
    assert.deepEqual(target, candles);
  });
});

describe('firstCandleFrom', () => {
  it('is the index of the first candle at or after a time, the length if there is none', () => {
    const times = fc.uniqueArray(fc.integer({ min: 0, max: 200 }), { maxLength: 40 });
    fc.assert(
      fc.property(times, fc.integer({ min: -5, max: 205 }), (values, wanted) => {
        const time = Float64Array.from(values.sort((a, b) => a - b));
        const found = time.findIndex((each) => each >= wanted);
        assert.equal(firstCandleFrom(time, wanted), found < 0 ? time.length : found);
      }),
      { numRuns: 500, seed: 7 },
    );
  });
});
