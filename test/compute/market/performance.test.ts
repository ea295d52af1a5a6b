import assert from 'node:assert/strict';
import {
  performanceWindows,
  readPerformance,
  type PerformanceWindow,
} from '../../../compute/market/performance.js';
import { correlatedShare } from '../../../compute/metrics/correlated-share.js';
import { sliceCandles, type Candles } from '../../../compute/model/candles.js';
import { demoCandles } from '../../support/candles/demo-candles.js';
import { dropCandles } from '../../support/candles/drop-candles.js';
import { copyOf, flatCandles } from '../../support/candles/odd-candles.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { describeWithSharedData, sharedCandles } from '../../support/candles/shared-data.js';

/** What a price did within `hours` before its last close, by rows and their times; null where the history is shorter. */
function naivePerformance(candles: Candles, hours: number, candleMs: number) {
  const rows = Array.from(candles.time, (time, i) => ({
    closed: time + candleMs,
    high: candles.high[i],
    low: candles.low[i],
    close: candles.close[i],
  }));
  const last = rows[rows.length - 1];
  const start = last.closed - hours * 3_600_000;
  const before = rows.filter(({ closed }) => closed <= start);
  if (before.length === 0) return null;
  const within = rows.filter(({ closed }) => closed > start);
  const path = [before[before.length - 1], ...within].map(({ close }) => close);
  const moves = path.slice(1).map((close, i) => (close - path[i]) / path[i]);
  const mean = moves.reduce((a, b) => a + b, 0) / moves.length;
  const variance = moves.reduce((sum, move) => sum + (move - mean) ** 2, 0) / (moves.length - 1);
  const years = (last.closed - before[before.length - 1].closed) / (8_760 * 3_600_000);
  // Mean and variance of a year are the sums of those of its returns.
  const [yearlyMean, yearlyVariance] = [(mean * moves.length) / years, (variance * moves.length) / years];
  const falls = path.map((close, i) => (close / Math.max(...path.slice(0, i + 1)) - 1) * 100);
  return {
    returns: moves.length,
    returnPercent: (100 * (last.close - path[0])) / path[0],
    volatilityPercent: 100 * Math.sqrt(yearlyVariance),
    sharpe: yearlyMean / Math.sqrt(yearlyVariance),
    maxDrawdownPercent: Math.min(...falls),
    fromHighPercent: (100 * last.close) / Math.max(...within.map(({ high }) => high)) - 100,
    fromLowPercent: (100 * last.close) / Math.min(...within.map(({ low }) => low)) - 100,
  };
}

const hourMs = 3_600_000;

const near = (actual: number | null, expected: number, what: string) =>
  assert.ok(
    actual !== null && Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected)),
    `${what}: found ${actual}, expected ${expected}`,
  );

function assertAsNaive(candles: Candles, what: string) {
  const found = readPerformance(candles, null, '1h');
  for (const { window, figures, reason } of found.windows) {
    const expected = naivePerformance(candles, performanceWindows[window], hourMs);
    if (!expected) {
      assert.equal(figures, null, `${what} ${window}`);
      assert.match(reason!, /^needs \d+ hours of history, found \d+$/);
      continue;
    }
    for (const [name, value] of Object.entries(expected))
      near(figures![name as keyof typeof expected], value, `${what} ${window} ${name}`);
  }
}

const figuresOf = (candles: Candles, window: PerformanceWindow, btc: Candles | null = null) =>
  readPerformance(candles, btc, '1h').windows.find((each) => each.window === window)!.figures!;

describe('readPerformance', () => {
  it('finds what a filter over rows finds, on the demo market', () => {
    assertAsNaive(yearOf('SOL_USDT'), 'demo');
    assertAsNaive(yearOf('PEPE_USDT'), 'tiny prices');
  });

  it('counts windows in time, not in rows: gaps shorten nothing', () => {
    const whole = randomCandles(9_000, { seed: 3 });
    const holed = dropCandles(whole, (i) => i % 7 === 3 || (i > 8_700 && i < 8_900));
    assertAsNaive(holed, 'holed');
    const [one, other] = [figuresOf(whole, '1y'), figuresOf(holed, '1y')];
    assert.ok(other.returns < one.returns);
    near(other.returnPercent, (whole.close[8_999] / whole.close[8_999 - 8_760] - 1) * 100, 'return');
    // Rows left out take no variance away: a return over a gap carries that of all its hours.
    assert.ok(Math.abs(other.volatilityPercent! / one.volatilityPercent! - 1) < 0.1);
  });

  it('measures from the last close known when the window began', () => {
    const whole = randomCandles(100);
    const holed = dropCandles(whole, (i) => i >= 70 && i <= 80);
    const { from, returnPercent } = figuresOf(holed, '1d');
    assert.equal(from, whole.time[69] + hourMs);
    near(returnPercent, (whole.close[99] / whole.close[69] - 1) * 100, 'return');
  });

  it('has no figures for a window longer than the history, and says why', () => {
    const full = readPerformance(randomCandles(169), null, '1h');
    assert.deepEqual(
      full.windows.map(({ figures }) => figures !== null),
      [true, true, false, false, false],
    );
    const short = readPerformance(randomCandles(168), null, '1h').windows[1];
    assert.deepEqual(short, { window: '7d', figures: null, reason: 'needs 169 hours of history, found 168' });
  });

  it('has no figures of no candles', () => {
    const { asOf, price, windows: found } = readPerformance(randomCandles(0), null, '1h');
    assert.deepEqual([asOf, price], [null, null]);
    assert.ok(found.every(({ figures, reason }) => figures === null && reason === 'there are no candles'));
    assert.equal(readPerformance(randomCandles(1), null, '1h').windows[0].figures, null);
  });

  it('has no volatility of one return, and no Sharpe ratio of a price that stands still', () => {
    const daily = randomCandles(2, { stepMs: 24 * hourMs });
    const [{ figures }] = readPerformance(daily, null, '1d').windows;
    assert.deepEqual([figures!.returns, figures!.volatilityPercent, figures!.sharpe], [1, null, null]);
    for (const price of [1e-8, 0.3, 1e8]) {
      const still = figuresOf(flatCandles(30, price), '1d');
      const { returnPercent, volatilityPercent, sharpe, sharpeLow, maxDrawdownPercent } = still;
      assert.deepEqual([returnPercent, volatilityPercent, maxDrawdownPercent], [0, 0, 0]);
      assert.deepEqual([sharpe, sharpeLow], [null, null]);
    }
  });

  it('puts the Sharpe ratio in the interval of Lo, with the variance that correlated returns have', () => {
    const candles = randomCandles(800, { seed: 5 });
    const { sharpe, sharpeLow, sharpeHigh } = figuresOf(candles, '30d');
    const perReturn = sharpe! / Math.sqrt(8_760);
    const returns = Float64Array.from(
      { length: 720 },
      (_, i) => candles.close[80 + i] / candles.close[79 + i] - 1,
    );
    const error = Math.sqrt((correlatedShare(returns) + perReturn ** 2 / 2) / 720) * Math.sqrt(8_760);
    near(sharpeHigh, sharpe! + 1.959963984540054 * error, 'high');
    near(sharpeLow, sharpe! - 1.959963984540054 * error, 'low');
  });

  it('compares with BTC between the same two moments, and reads nothing later', () => {
    const asset = randomCandles(200, { seed: 1 });
    const btc = randomCandles(250, { seed: 2, startMs: asset.time[0] - 20 * hourMs });
    const { returnPercent, relativeToBtcPoints } = figuresOf(asset, '1d', btc);
    near(relativeToBtcPoints, returnPercent - (btc.close[219] / btc.close[195] - 1) * 100, 'points');
    assert.equal(figuresOf(asset, '1d', sliceCandles(btc, 0, 220)).relativeToBtcPoints, relativeToBtcPoints);
    assert.equal(figuresOf(asset, '1d', asset).relativeToBtcPoints, 0);
  });

  it('brings volatility to a year by the time that the returns span, though the window begins in an outage', () => {
    const whole = randomCandles(400, { seed: 7 });
    // The 100 hours before the last 168 are missing, and the first two of them.
    const holed = dropCandles(whole, (i) => i > 130 && i < 233);
    assertAsNaive(holed, 'outage at the start');
    const { from, returns, volatilityPercent } = figuresOf(holed, '7d');
    assert.deepEqual([from, returns], [whole.time[131], 167]);
    const path = holed.close.subarray(-168);
    const moves = Array.from({ length: 167 }, (_, i) => path[i + 1] / path[i] - 1);
    const mean = moves.reduce((sum, each) => sum + each, 0) / 167;
    const variance = moves.reduce((sum, each) => sum + (each - mean) ** 2, 0) / 166;
    near(volatilityPercent, 100 * Math.sqrt((variance * 167 * 8_760) / 269), 'volatility');
  });

  it('does not compare where BTC is missing, starts later or ends earlier', () => {
    const asset = randomCandles(200);
    const starts = (from: number, to = 200) => figuresOf(asset, '1d', sliceCandles(asset, from, to));
    assert.equal(figuresOf(asset, '1d', null).relativeToBtcPoints, null);
    assert.equal(starts(175).relativeToBtcPoints, 0);
    assert.equal(starts(176).relativeToBtcPoints, null);
    assert.equal(starts(0, 199).relativeToBtcPoints, null);
    assert.equal(starts(0, 0).relativeToBtcPoints, null);
  });

  it('leaves its input as it is', () => {
    const candles = randomCandles(800);
    const before = copyOf(candles);
    readPerformance(candles, candles, '1h');
    assert.deepEqual(candles, before);
  });
});

describeWithSharedData('readPerformance on real candles', () => {
  for (const pair of ['BTC_USDT', 'PEPE_USDT'] as const)
    it(`finds what a filter over rows finds, for ${pair}`, () => {
      const candles = sharedCandles(pair, '1h');
      assertAsNaive(lastOf(candles, 9_500), pair);
    });

  it('finds it too where the window spans an outage of the exchange', () => {
    const candles = sharedCandles('BTC_USDT', '1h');
    const gap = candles.time.findIndex((time, i) => i > 9_000 && time - candles.time[i - 1] > hourMs);
    assertAsNaive(sliceCandles(candles, gap + 5 - 9_000, gap + 5), 'outage');
  });
});

function yearOf(pair: 'SOL_USDT' | 'PEPE_USDT'): Candles {
  return lastOf(demoCandles(pair, '1h'), 9_000);
}

function lastOf(candles: Candles, count: number): Candles {
  const { length } = candles.time;
  return sliceCandles(candles, Math.max(0, length - count), length);
}
