import assert from 'node:assert/strict';
import fc from 'fast-check';
import { candleColumns } from '../../../compute/model/candles.js';
import { readRows } from '../../../jobs/market/read-rows.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { hourMs } from '../../storage/candles/candle-parts.js';

const startMs = Date.UTC(2024, 0, 1);
const candles = randomCandles(48, { startMs });
const rows = Array.from(candles.time, (_, i) => candleColumns.map((column) => candles[column][i]));
const read = (given: unknown[], from = 0, to = 48) =>
  readRows(given, startMs + from * hourMs, startMs + to * hourMs);

describe('readRows', () => {
  it('takes the hours asked for and no others, without a word on the rest', () => {
    const { candles: found, refused } = read(rows, 10, 20);
    assert.deepEqual(Array.from(found.time), Array.from(candles.time.slice(10, 20)));
    assert.equal(refused.size, 0);
  });

  const good = rows[5];
  const changed = (column: number, value: unknown) => good.map((each, i) => (i === column ? value : each));
  const bad: [row: unknown, reason: string][] = [
    [undefined, 'a value is not a number'],
    [null, 'a value is not a number'],
    ['row', 'a value is not a number'],
    [{ ...good }, 'a value is not a number'],
    [good.slice(0, 5), 'a value is not a number'],
    [changed(1, NaN), 'a value is not a number'],
    [changed(2, undefined), 'a value is not a number'],
    [changed(3, '1'), 'a value is not a number'],
    [changed(5, Infinity), 'a value is not a number'],
    [changed(0, good[0] + 1), 'time is not the start of an hour'],
    [changed(0, good[0] + 0.5), 'time is not a whole number of milliseconds'],
    [changed(3, 0), 'a price is not above 0'],
    [changed(3, -1), 'a price is not above 0'],
    [changed(2, good[3] / 2), 'high is below another price'],
    [changed(3, good[2]), 'low is above another price'],
    [changed(5, -1), 'volume is below 0'],
  ];
  it('counts invalid rows by reason', () => {
    for (const [row, reason] of bad) {
      const { candles: found, refused } = read([rows[4], row, rows[6]]);
      assert.deepEqual(Array.from(found.time), [candles.time[4], candles.time[6]], reason);
      assert.deepEqual([...refused], [[reason, 1]]);
    }
  });

  it('takes a good row for an hour that has a bad one too', () => {
    const { candles: found, refused } = read([changed(3, 0), good]);
    assert.deepEqual(Array.from(found.close), [good[4]]);
    assert.equal(refused.get('a price is not above 0'), 1);
  });

  it('keeps the first of two rows that differ, and takes the same row twice as one', () => {
    const other = changed(5, good[5] + 1);
    const { candles: found, refused } = read([good, other, good]);
    assert.deepEqual(Array.from(found.volume), [good[5]]);
    assert.deepEqual([...refused], [['differs from an earlier row for that hour', 1]]);
  });

  it('gives the same candles whatever the order of the rows and however often they come', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...rows, ...rows], { minLength: 96 }), (shuffled) => {
        const { candles: found, refused } = read(shuffled);
        for (const column of candleColumns)
          assert.deepEqual(Array.from(found[column]), Array.from(candles[column]));
        assert.equal(refused.size, 0);
      }),
      { numRuns: 30 },
    );
  });
});
