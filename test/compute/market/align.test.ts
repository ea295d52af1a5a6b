import assert from 'node:assert/strict';
import fc from 'fast-check';
import { alignCloses, countGaps } from '../../../compute/market/align.js';
import { createCandles, type Candles } from '../../../compute/model/candles.js';

/** Candles that open at the given hours and close at a price that tells series and hour. */
function candlesAtHours(hours: readonly number[], series: number): Candles {
  const candles = createCandles(hours.length);
  hours.forEach((hour, i) => {
    candles.time[i] = hour * 3_600_000;
    candles.close[i] = series * 1000 + hour;
  });
  return candles;
}

const hours = fc.uniqueArray(fc.nat({ max: 40 }), { maxLength: 40 }).map((all) => all.sort((a, b) => a - b));

describe('alignCloses', () => {
  it('keeps the last candles that all series have, whatever is missing where', () => {
    fc.assert(
      fc.property(fc.array(hours, { minLength: 1, maxLength: 4 }), fc.nat({ max: 12 }), (series, most) => {
        const sets = series.map((each) => new Set(each));
        const shared = series[0].filter((hour) => sets.every((set) => set.has(hour)));
        const expected = most === 0 ? [] : shared.slice(-most);
        const { time, closes } = alignCloses(series.map(candlesAtHours), most);
        assert.deepEqual(
          [...time],
          expected.map((hour) => hour * 3_600_000),
        );
        assert.deepEqual(
          closes.map((column) => [...column]),
          series.map((_, n) => expected.map((hour) => n * 1000 + hour)),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('finds nothing in no series, and where one has no candles', () => {
    assert.deepEqual(alignCloses([], 5), { time: new Float64Array(0), closes: [] });
    const { time, closes } = alignCloses([candlesAtHours([1, 2], 0), candlesAtHours([], 1)], 5);
    assert.deepEqual([time.length, closes.map((column) => column.length)], [0, [0, 0]]);
  });
});

describe('countGaps', () => {
  it('counts the steps that are longer than a candle', () => {
    assert.equal(countGaps(Float64Array.of(0, 10, 20, 50, 60, 80), 10), 2);
    assert.equal(countGaps(new Float64Array(0), 10), 0);
  });
});
