import assert from 'node:assert/strict';
import {
  reportSupportResistance,
  type SupportResistance,
  type SupportResistanceParams,
} from '../../../compute/market/support-resistance.js';
import { findPivotPoints } from '../../../compute/market/pivot-points.js';
import { clusterSwings } from '../../../compute/market/price-levels.js';
import { sliceCandles, type Candles } from '../../../compute/model/candles.js';
import type { Interval } from '../../../compute/model/interval.js';
import { assertAlike } from '../../support/numbers/assert-alike.js';
import { expectedReadings } from '../../support/candles/demo-readings.js';
import { flatCandles } from '../../support/candles/odd-candles.js';
import { randomCandles } from '../../support/candles/random-candles.js';

const report = (candles = randomCandles(600), maxLevels = 20, interval: Interval = '1h') =>
  reportSupportResistance({ candles, interval, params: { maxLevels } });

describe('reportSupportResistance', () => {
  const points = expectedReadings<SupportResistance, SupportResistanceParams>('support-resistance', {
    maxLevels: 8,
  });

  it('equals an independent implementation in every field', () => {
    assert.ok(points.length > 60);
    for (const { title, question, expected } of points)
      assertAlike(reportSupportResistance(question), expected, title, question.candles.close.at(-1));
  });

  it('is tested with every kind of level on either side', () => {
    for (const side of ['above', 'below'] as const) {
      const kinds = points.flatMap(({ expected }) => expected[side].map(({ kind }) => kind));
      assert.equal(new Set(kinds).size, 4);
    }
    assert.ok(points.some(({ expected }) => expected.majorSwing));
    assert.ok(points.some(({ expected }) => expected.above.some(({ touches }) => touches && touches > 3)));
  });

  it('gives the nearest levels first, at most so many on either side', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const all = report(randomCandles(600, { seed }));
      const few = report(randomCandles(600, { seed }), 3);
      for (const side of ['above', 'below'] as const) {
        const away = all[side].map(({ distancePercent }) => Math.abs(distancePercent));
        assert.deepEqual(
          away,
          [...away].sort((a, b) => a - b),
        );
        assert.ok(all[side].every(({ distancePercent }) => distancePercent > 0 === (side === 'above')));
        assert.deepEqual(few[side], all[side].slice(0, 3));
      }
    }
  });

  it('counts every swing in one cluster at most', () => {
    const { above, below, swings } = report();
    const touches = [...above, ...below].reduce((sum, level) => sum + (level.touches ?? 0), 0);
    assert.ok(touches > 0 && touches <= swings);
  });

  it('rests on what has closed: candles that follow change no pivot points of the day', () => {
    const candles = randomCandles(500, { startMs: Date.UTC(2024, 0, 1) });
    const at = (count: number) => report(sliceCandles(candles, 0, count)).pivots;
    // The candle of 23 h closes at midnight: the day is over then.
    assert.equal(at(24 * 9)?.from, Date.UTC(2024, 0, 9));
    for (let hour = 1; hour < 24; hour++) assert.deepEqual(at(24 * 9 + hour), at(24 * 9));
    assert.equal(at(24 * 10)?.from, Date.UTC(2024, 0, 10));
  });

  it('knows no level but the price itself where price never moves', () => {
    const { above, below, atr, majorSwing } = report(flatCandles(600, 0.1));
    assert.deepEqual([atr, majorSwing], [0, null]);
    const all = [...above, ...below];
    assert.ok(
      all.length > 5 &&
        all.every(({ price, distanceAtr }) => Math.abs(price - 0.1) < 1e-15 && distanceAtr === null),
    );
  });
});

describe('findPivotPoints', () => {
  const ask = (candles: Candles, interval: Interval) => findPivotPoints({ candles, interval, params: {} });

  it('takes the formulas of the day before', () => {
    const candles = flatCandles(30, 100);
    candles.high[5] = 110;
    candles.low[9] = 95;
    candles.close[23] = 104;
    const { levels, period } = ask(candles, '1h')!;
    assert.equal(period, 'day');
    assert.deepEqual(Object.fromEntries(levels.map(({ name, price }) => [name, price])), {
      ...{ P: 103, R1: 111, R2: 118, R3: 126, S1: 96, S2: 88, S3: 81 },
    });
  });

  it('takes the week from Monday on for longer candles, and only a whole one', () => {
    const day = 86_400_000;
    // 2024-01-01 is a Monday.
    const days = (count: number, startMs: number) => randomCandles(count, { startMs, stepMs: day });
    const monday = Date.UTC(2024, 0, 1);
    assert.equal(ask(days(6, monday), '1d'), null);
    assert.equal(ask(days(7, monday), '1d')?.from, monday);
    assert.equal(ask(days(13, monday), '1d')?.from, monday);
    assert.equal(ask(days(14, monday), '1d')?.from, monday + 7 * day);
    assert.equal(ask(days(9, monday + day), '1d'), null);
  });

  it('has none after a gap that swallowed the day before', () => {
    const candles = randomCandles(60);
    candles.time.forEach((time, i) => (candles.time[i] = i < 30 ? time : time + 5 * 86_400_000));
    assert.equal(ask(sliceCandles(candles, 0, 31), '1h'), null);
  });
});

describe('clusterSwings', () => {
  const cluster = (...prices: number[]) =>
    clusterSwings(
      prices.map((price, index) => ({ kind: 'high', index, price })),
      1,
      0,
    ).map(({ price, swings }) => [price, swings.length]);

  it('gathers around the swing with most others near it, and leaves lonely ones out', () => {
    assert.deepEqual(cluster(10, 10.5, 11, 20, 30, 30.5), [
      [10.5, 3],
      [30.25, 2],
    ]);
    assert.deepEqual(cluster(10, 12, 14), []);
    assert.deepEqual(cluster(), []);
  });

  it('prefers, of equally full ones, the nearest', () => {
    assert.deepEqual(cluster(30, 30, 10, 10), [
      [10, 2],
      [30, 2],
    ]);
  });
});
