import assert from 'node:assert/strict';
import fc from 'fast-check';
import { candleColumns, sliceCandles, type Candles } from '../../../compute/model/candles.js';
import { resampleCandles, type ResampleRange } from '../../../compute/model/resample.js';
import { copyOf } from '../../support/candles/odd-candles.js';
import { randomCandles } from '../../support/candles/random-candles.js';

const hourMs = 3_600_000;

/** Rows by bucket in a map, without those that began before the series or are not over. */
function naive(source: Candles, { bucketMs, firstMs, endMs }: ResampleRange): number[][] {
  const buckets = new Map<number, number[]>();
  source.time.forEach((time, i) => {
    const start = time - (time % bucketMs);
    buckets.set(start, [...(buckets.get(start) ?? []), i]);
  });
  return [...buckets]
    .filter(([start]) => start >= firstMs && start + bucketMs <= endMs)
    .map(([start, rows]) => {
      const of = (column: Float64Array) => rows.map((i) => column[i]);
      const volume = of(source.volume).reduce((sum, each) => sum + each, 0);
      const [high, low] = [Math.max(...of(source.high)), Math.min(...of(source.low))];
      return [start, source.open[rows[0]], high, low, source.close[rows.at(-1)!], volume];
    });
}

const rowsOf = (candles: Candles) =>
  Array.from(candles.time, (_, i) => candleColumns.map((column) => candles[column][i]));

/** Hours with gaps: each comes 1 to 9 hours after the one before, or 60. */
const hours = fc
  .record({
    start: fc.nat({ max: 30 }),
    steps: fc.array(fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 9 }), fc.constant(60)), {
      maxLength: 90,
    }),
  })
  .map(({ start, steps }) => {
    const candles = randomCandles(steps.length, { seed: start + 1 });
    let time = Date.UTC(2024, 1, 27) + start * hourMs;
    steps.forEach((step, i) => (candles.time[i] = time += step * hourMs));
    return candles;
  });

describe('resampleCandles', () => {
  for (const bucketMs of [4 * hourMs, 24 * hourMs])
    it(`makes the ${bucketMs / hourMs} h candles that a naive implementation makes, gaps or not`, () => {
      fc.assert(
        fc.property(hours, (source) => {
          const firstMs = source.time[0] ?? 0;
          const endMs = (source.time.at(-1) ?? 0) + hourMs;
          const range = { bucketMs, firstMs, endMs };
          assert.deepEqual(rowsOf(resampleCandles(source, range)), naive(source, range));
        }),
        { numRuns: 300, seed: 11 },
      );
    });

  it('takes part of a series for what it is: the range says where the whole begins and ends', () => {
    const source = randomCandles(30, { startMs: Date.UTC(2024, 0, 1, 8) });
    const range = { bucketMs: 24 * hourMs, firstMs: Date.UTC(2023, 11, 1), endMs: Date.UTC(2024, 0, 4) };
    const { time, open } = resampleCandles(source, range);
    assert.deepEqual(Array.from(time), [Date.UTC(2024, 0, 1), Date.UTC(2024, 0, 2)]);
    assert.deepEqual(Array.from(open), [source.open[0], source.open[16]]);
  });

  it('leaves out the bucket that began before the series and the one that is not over', () => {
    const source = randomCandles(49, { startMs: Date.UTC(2024, 0, 1, 1) });
    const range = { bucketMs: 24 * hourMs, firstMs: source.time[0], endMs: source.time[48] + hourMs };
    assert.deepEqual(Array.from(resampleCandles(source, range).time), [Date.UTC(2024, 0, 2)]);
  });

  it('gives the same candles however long the series behind them grows, and leaves the source as it is', () => {
    const source = randomCandles(400);
    const before = copyOf(source);
    const range = (count: number) => ({
      bucketMs: 4 * hourMs,
      firstMs: source.time[0],
      endMs: source.time[count - 1] + hourMs,
    });
    const whole = rowsOf(resampleCandles(source, range(400)));
    for (const count of [1, 3, 4, 5, 100, 399]) {
      const part = rowsOf(resampleCandles(sliceCandles(source, 0, count), range(count)));
      assert.deepEqual(part, whole.slice(0, Math.floor(count / 4)));
    }
    assert.deepEqual(source, before);
  });
});
