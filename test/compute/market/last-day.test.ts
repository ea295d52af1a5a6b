import assert from 'node:assert/strict';
import { lastDay } from '../../../compute/market/last-day.js';
import { createCandles, sliceCandles, type Candles } from '../../../compute/model/candles.js';
import { intervalMs, type Interval } from '../../../compute/model/interval.js';
import { assertClose } from '../../support/numbers/close-to.js';
import { demoCandles, demoSeries } from '../../support/candles/demo-candles.js';

const dayMs = 86_400_000;

/** The same read row by row from the definition. */
function lastDayByRows(candles: Candles, interval: Interval) {
  const rows = Array.from(candles.time, (time, i) => ({
    closedAt: time + intervalMs(interval),
    close: candles.close[i],
    traded: candles.volume[i] * ((candles.high[i] + candles.low[i] + candles.close[i]) / 3),
  }));
  const { closedAt, close } = rows.at(-1)!;
  const before = rows.filter((row) => row.closedAt <= closedAt - dayMs).at(-1);
  if (!before) return null;
  const within = rows.filter((row) => row.closedAt > closedAt - dayMs);
  return {
    // The close before may be 72 minutes late, a twentieth of the day.
    change:
      closedAt - dayMs - before.closedAt <= 72 * 60_000
        ? (100 * (close - before.close)) / before.close
        : null,
    volume: within.reduce((sum, { traded }) => sum + traded, 0),
  };
}

function assertSame(candles: Candles, interval: Interval, what: string): void {
  const [found, expected] = [lastDay(candles), lastDayByRows(candles, interval)];
  assert.equal(found === null, expected === null, what);
  if (!found || !expected) return;
  assert.equal(found.change === null, expected.change === null, what);
  assertClose(1 + (found.change ?? 0) / 100, 1 + (expected.change ?? 0) / 100, `${what}: change`);
  assertClose(found.volume, expected.volume, `${what}: volume`);
}

describe('lastDay', () => {
  for (const { pair, interval } of demoSeries)
    it(`is that before the last close, on ${interval} candles of ${pair}`, () => {
      const candles = demoCandles(pair, interval);
      for (let count = 1; count <= candles.time.length; count += count < 30 ? 1 : 997)
        assertSame(sliceCandles(candles, 0, count), interval, `${count} candles`);
    });

  it('counts hours, not candles, where some are missing', () => {
    const candles = demoCandles('BTC_USDT', '1h');
    const gappy = createCandles(80);
    // Every third candle is left out, and after the fiftieth a whole week.
    for (let i = 0; i < 80; i++)
      for (const column of ['time', 'open', 'high', 'low', 'close', 'volume'] as const)
        gappy[column][i] = candles[column][Math.floor(i * 1.5) + (i > 50 ? 168 : 0)];
    for (let count = 1; count <= 80; count++)
      assertSame(sliceCandles(gappy, 0, count), '1h', `${count} candles`);
    const afterOutage = lastDay(sliceCandles(gappy, 0, 52))!;
    assert.deepEqual([afterOutage.change, afterOutage.volume > 0], [null, true]);
  });

  it('is not known before a candle has closed 24 hours ago', () => {
    const candles = demoCandles('SOL_USDT', '1h');
    assert.equal(lastDay(createCandles(0)), null);
    assert.equal(lastDay(sliceCandles(candles, 0, 24)), null);
    assert.notEqual(lastDay(sliceCandles(candles, 0, 25)), null);
    const days = demoCandles('SOL_USDT', '1d');
    assert.equal(lastDay(sliceCandles(days, 0, 1)), null);
    assertClose(lastDay(sliceCandles(days, 0, 2))!.change, (days.close[1] / days.close[0] - 1) * 100, '1d');
  });
});
