import assert from 'node:assert/strict';
import { findSimilarHistory, similarHorizons } from '../../../compute/market/similar-history.js';
import { sliceCandles, type Candles } from '../../../compute/model/candles.js';
import { intervalMs, type Interval } from '../../../compute/model/interval.js';
import { demoCandles } from '../../support/candles/demo-candles.js';
import { dropCandles } from '../../support/candles/drop-candles.js';
import { naiveBinomialP } from '../../support/naive/naive-binomial-p.js';
import { copyOf, flatCandles, spikedCandles } from '../../support/candles/odd-candles.js';
import { randomCandles } from '../../support/candles/random-candles.js';

const average = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

/** A window's log closes brought to mean 0 and variance 1. */
function normalized(closes: readonly number[]): number[] {
  const logs = closes.map((close) => Math.log(close));
  const mean = average(logs);
  const deviation = Math.sqrt(average(logs.map((log) => (log - mean) ** 2)));
  return logs.map((log) => (log - mean) / deviation);
}

/** Starts and distances of the nearest windows, by comparing every one in full and sorting all of them. */
function naiveSimilarHistory(candles: Candles, candleMs: number, window: number, most: number) {
  const rows = Array.from(candles.close, (close, i) => ({ close, time: candles.time[i] }));
  const query = normalized(rows.slice(-window).map(({ close }) => close));
  const isWhole = (part: typeof rows) =>
    part.every(({ time }, i) => i === 0 || time - part[i - 1].time === candleMs);
  const all: { start: number; distance: number }[] = [];
  const wholeStarts: number[] = [];
  for (let start = 0; start + window <= rows.length - window; start++) {
    const part = rows.slice(start, start + window);
    if (!isWhole(part)) continue;
    wholeStarts.push(start);
    const shape = normalized(part.map(({ close }) => close));
    all.push({ start, distance: Math.hypot(...shape.map((value, i) => value - query[i])) });
  }
  all.sort((a, b) => a.distance - b.distance);
  const picked: typeof all = [];
  for (const each of all)
    if (
      picked.length < most &&
      picked.every(({ start }) => Math.abs(start - each.start) >= Math.max(window, 20))
    )
      picked.push(each);
  const after = (start: number, count: number) => {
    const part = rows.slice(start + window - 1, start + window + count);
    return part.length === count + 1 && isWhole(part)
      ? (100 * part[count].close) / part[0].close - 100
      : null;
  };
  return { picked, wholeStarts, after };
}

const hourMs = 3_600_000;

const near = (actual: number | null, expected: number, what: string, tolerance = 1e-7) =>
  assert.ok(
    actual !== null && Math.abs(actual - expected) <= tolerance * Math.max(1, Math.abs(expected)),
    `${what}: found ${actual}, expected ${expected}`,
  );

const present = (values: (number | null)[]) => values.filter((value) => value !== null);

function assertAsNaive(candles: Candles, interval: Interval, window: number, most: number) {
  const found = findSimilarHistory(candles, interval, { window, matches: most });
  const { picked, wholeStarts, after } = naiveSimilarHistory(candles, intervalMs(interval), window, most);
  assert.deepEqual(
    found.matches.map(({ from, to }) => [from, to]),
    picked.map(({ start }) => [candles.time[start], candles.time[start + window - 1]]),
  );
  assert.equal(found.compared, wholeStarts.length);
  found.matches.forEach((match, n) => {
    near(match.distance, picked[n].distance, `distance of match ${n}`);
    near(match.correlation, 1 - picked[n].distance ** 2 / (2 * window), `correlation of match ${n}`);
    match.followed.forEach(({ candles: count, percent }) => {
      const expected = after(picked[n].start, count);
      if (expected === null) assert.equal(percent, null);
      else near(percent, expected, `${count} candles after match ${n}`, 1e-9);
    });
  });
  for (const { candles: count, matches, base, differencePoints } of found.aftermath) {
    const [some, all] = [picked.map(({ start }) => start), wholeStarts].map((starts) =>
      present(starts.map((start) => after(start, count))),
    );
    const mean = (values: number[]) => values.reduce((a, b) => a + b, 0) / values.length;
    const ups = (values: number[]) => (100 * values.filter((value) => value > 0).length) / values.length;
    assert.deepEqual([matches.count, base.count], [some.length, all.length]);
    assert.deepEqual([matches.independent, base.independent], [some.length, Math.ceil(all.length / count)]);
    near(matches.meanPercent, mean(some), 'mean of matches');
    near(base.meanPercent, mean(all), 'mean of all');
    near(differencePoints, mean(some) - mean(all), 'difference');
    near(matches.upPercent, ups(some), 'rises of matches');
    near(base.upPercent, ups(all), 'rises of all');
  }
}

describe('findSimilarHistory', () => {
  it('finds what comparing every window in full finds', () => {
    assertAsNaive(demoCandles('BTC_USDT', '1d'), '1d', 30, 10);
    assertAsNaive(demoCandles('PEPE_USDT', '1d'), '1d', 10, 20);
    assertAsNaive(sliceCandles(demoCandles('SOL_USDT', '1h'), 0, 3_000), '1h', 120, 5);
  });

  it('leaves out windows and outcomes over a gap in time', () => {
    const holed = dropCandles(randomCandles(1_500, { seed: 4 }), (i) => i % 61 === 7);
    assertAsNaive(holed, '1h', 12, 20);
  });

  it('knows a shape again at another price and another size, and what followed', () => {
    const candles = randomCandles(600, { seed: 8 });
    const logs = Array.from(candles.close.subarray(570), Math.log);
    // The last thirty closes once more at 100 to 129: a thousandth of the price, moves squared.
    logs.forEach((log, i) => (candles.close[100 + i] = Math.exp(2 * log) / 1_000));
    const [{ from, correlation, distance, returnPercent, followed }] = findSimilarHistory(candles, '1h', {
      window: 30,
      matches: 1,
    }).matches;
    assert.equal(from, candles.time[100]);
    near(correlation, 1, 'correlation', 1e-12);
    assert.ok(distance < 1e-5);
    near(returnPercent, ((candles.close[599] / candles.close[570]) ** 2 - 1) * 100, 'return');
    near(followed[0].percent, (candles.close[134] / candles.close[129] - 1) * 100, 'five candles on');
  });

  it('takes no match that shares a candle with the query, nor two that overlap', () => {
    // A wave repeats itself every ten candles, so nearly every start would do.
    const candles = randomCandles(400, { seed: 2 });
    candles.close.forEach((_, i) => (candles.close[i] = 100 + 10 * Math.sin((i * Math.PI) / 5)));
    for (const window of [10, 25, 40]) {
      const { matches } = findSimilarHistory(candles, '1h', { window, matches: 20 });
      const starts = matches.map(({ from }) => (from - candles.time[0]) / hourMs).sort((a, b) => a - b);
      assert.ok(starts.length > 2);
      assert.ok(starts[starts.length - 1] + window <= 400 - window);
      starts.slice(1).forEach((start, n) => assert.ok(start - starts[n] >= Math.max(window, 20)));
    }
  });

  it('gives quartiles and an interval of the share of rises', () => {
    const found = findSimilarHistory(randomCandles(2_000, { seed: 6 }), '1h', { window: 20, matches: 20 });
    for (const { matches, base } of found.aftermath)
      for (const each of [matches, base]) {
        assert.ok(each.lowerQuartilePercent! <= each.medianPercent!);
        assert.ok(each.medianPercent! <= each.upperQuartilePercent!);
        assert.ok(each.upLowPercent! <= each.upPercent! && each.upPercent! <= each.upHighPercent!);
      }
  });

  it('tests the share of rises exactly, and corrects for the three horizons', () => {
    let different = 0;
    for (let seed = 1; seed <= 30; seed++) {
      const { aftermath } = findSimilarHistory(randomCandles(1_000, { seed }), '1h', {
        window: 20,
        matches: 20,
      });
      const pValues = aftermath.map(({ matches, base }) => {
        const hits = Math.round((matches.upPercent! / 100) * matches.count);
        return naiveBinomialP(hits, matches.count, base.upPercent! / 100);
      });
      const order = pValues.toSorted((a, b) => a - b);
      aftermath.forEach(({ pValue, adjustedP, isDifferent }, n) => {
        near(pValue, pValues[n], 'p-value', 1e-9);
        const steps = order
          .slice(0, order.indexOf(pValues[n]) + 1)
          .map((p, rank) => Math.min(1, p * (3 - rank)));
        near(adjustedP, Math.max(...steps), 'corrected', 1e-9);
        assert.equal(isDifferent, Math.max(...steps) < 0.05);
        different += Number(isDifferent);
      });
    }
    assert.ok(different <= 4, `${different} of 90`);
  });

  it('says how far it could not look ahead of a late match', () => {
    const candles = randomCandles(20, { seed: 3 });
    const { matches, aftermath } = findSimilarHistory(candles, '1h', { window: 10, matches: 5 });
    assert.deepEqual(
      matches[0].followed.map(({ percent }) => percent !== null),
      [true, true, false],
    );
    const [, , last] = aftermath;
    assert.deepEqual([last.matches.count, last.matches.meanPercent, last.differencePoints], [0, null, null]);
    assert.deepEqual(
      [last.matches.upPercent, last.matches.upLowPercent, last.isDifferent],
      [null, null, false],
    );
  });

  it('has no match for a price that stands still, and says so', () => {
    const { matches, compared, aftermath, notes } = findSimilarHistory(flatCandles(100, 1e-8), '1h', {
      window: 10,
      matches: 3,
    });
    assert.deepEqual([matches, compared, aftermath[0].base.meanPercent], [[], 0, 0]);
    assert.deepEqual(notes, ['the last 10 closes do not move: they have no shape to compare']);
  });

  it('says where candles are missing in what it looks for', () => {
    const holed = dropCandles(randomCandles(100), (i) => i === 95);
    const { notes, matches } = findSimilarHistory(holed, '1h', { window: 10, matches: 3 });
    assert.deepEqual(notes, [
      'candles are missing within the last 10: their shape is that of the rows present',
    ]);
    assert.equal(matches.length, 3);
  });

  it('does not lose small moves beside a huge one', () => {
    const spiked = spikedCandles(300, 150);
    for (const { correlation } of findSimilarHistory(spiked, '1h', { window: 20, matches: 20 }).matches)
      assert.ok(correlation >= -1 && correlation <= 1);
    assertAsNaive(spiked, '1h', 20, 10);
  });

  it('refuses a history shorter than two windows', () => {
    assert.throws(() => findSimilarHistory(randomCandles(59), '1h', { window: 30, matches: 1 }), {
      code: 'not_enough_history',
      details: { needed: 60, found: 59 },
    });
  });

  it('leaves its input as it is', () => {
    const candles = randomCandles(300);
    const before = copyOf(candles);
    findSimilarHistory(candles, '1h', { window: 30, matches: 10 });
    assert.deepEqual(candles, before);
    assert.deepEqual(similarHorizons, [5, 10, 20]);
  });
});
