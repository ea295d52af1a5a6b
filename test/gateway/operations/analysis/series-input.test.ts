import assert from 'node:assert/strict';
import { secondsToNextClose } from '../../../../gateway/operations/analysis/series-input.js';
import type { Series } from '../../../../storage/candles/series.js';

const hourMs = 3_600_000;

describe('secondsToNextClose', () => {
  /** A series whose last candle opens at 0. */
  const series = (market: string, interval: Series['interval']) => ({ market, interval, last: 0 }) as Series;

  it('is the whole seconds until the next candle closes, and 0 from then on', () => {
    for (const [interval, hours] of [
      ['1h', 1],
      ['4h', 4],
      ['1d', 24],
    ] as const)
      for (const [passedMs, seconds] of [
        [0, hours * 3_600],
        [1, hours * 3_600],
        [1_000, hours * 3_600 - 1],
        [hours * hourMs - 1, 1],
        [hours * hourMs, 0],
        [hours * hourMs + 60_000, 0],
      ])
        assert.equal(secondsToNextClose(series('demo', interval), hours * hourMs + passedMs), seconds);
  });

  it('is a whole candle in an imported market, where time stands still', () => {
    assert.equal(secondsToNextClose(series('csv', '4h'), 99 * hourMs), 14_400);
  });
});
