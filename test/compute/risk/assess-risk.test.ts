import assert from 'node:assert/strict';
import { sliceCandles, type Candles } from '../../../compute/model/candles.js';
import { AppError } from '../../../compute/model/errors.js';
import {
  tradeSides,
  type RiskAssessment,
  type RiskProfile,
  type TradeSide,
} from '../../../compute/model/risk-assessment.js';
import { Room } from '../../../compute/model/room.js';
import { assessRisk } from '../../../compute/risk/assess-risk.js';
import { demoCandles } from '../../support/demo-candles.js';
import { readDemoRisk } from '../../support/demo-risk.js';
import { copyOf, flatCandles, frozenCandles } from '../../support/odd-candles.js';
import { randomCandles } from '../../support/random-candles.js';
import { describeWithSharedData, sharedCandles } from '../../support/shared-data.js';

const btc = randomCandles(400, { seed: 9, price: 40_000 });

const assess = (candles: Candles, side: TradeSide = 'long', leading = btc, isLeading = false) =>
  assessRisk({ candles, leading, isLeading, side });

const pointsOf = ({ reasons }: RiskAssessment) =>
  Object.fromEntries(reasons.map(({ rule, points }) => [rule, points]));

/** Fails unless both are the same plain data, the numbers of `actual` those of `expected` to 8 significant digits. */
function assertRounded(actual: unknown, expected: unknown, price: number, path: string): void {
  if (typeof actual === 'number' && typeof expected === 'number') {
    assert.equal(actual, Number(actual.toPrecision(8)), path);
    const half = 0.5 * 10 ** (Math.floor(Math.log10(Math.abs(expected) || 1)) - 7);
    const tolerance = half + 1e-9 * Math.abs(expected) + 1e-12 * price;
    assert.ok(Math.abs(actual - expected) <= tolerance, `${path}: found ${actual}, expected ${expected}`);
  } else if (actual !== null && typeof actual === 'object' && expected !== null) {
    assert.deepEqual(Object.keys(actual).sort(), Object.keys(expected as object).sort(), path);
    for (const [key, value] of Object.entries(actual))
      assertRounded(value, (expected as Record<string, unknown>)[key], price, `${path}.${key}`);
  } else assert.equal(actual, expected, path);
}

/** Fails if any number within is not finite, or a text stands for one. */
function assertFinite(data: unknown): void {
  assert.deepEqual(JSON.parse(JSON.stringify(data)), data);
  assert.doesNotMatch(JSON.stringify(data), /NaN|Infinity|undefined/);
}

describe('assessRisk', () => {
  const points = readDemoRisk();

  it('equals an independent implementation in every field', () => {
    assert.ok(points.length > 60);
    const leading = demoCandles('BTC_USDT', '1h');
    const room = new Room();
    for (const { pair, candles: count, side, expected } of points) {
      const candles = sliceCandles(demoCandles(pair, '1h'), 0, count);
      room.clear();
      const actual = assessRisk({ candles, leading, isLeading: pair === 'BTC_USDT', side }, room);
      assertRounded(actual, expected, candles.close[count - 1], `${pair} ${count} ${side}`);
    }
  });

  it('is tested with every profile, session and side, and with most rules both ways', () => {
    const expected = points.map((point) => point.expected);
    assert.equal(new Set(expected.map(({ riskProfile }) => riskProfile)).size, 3);
    assert.equal(new Set(expected.map(({ marketSession }) => marketSession)).size, 3);
    assert.equal(new Set(points.map(({ side }) => side)).size, 2);
    const rules = expected.flatMap(({ reasons }) =>
      reasons.map(({ rule, points }) => `${rule} ${points > 0}`),
    );
    assert.ok(new Set(rules).size >= 22, [...new Set(rules)].sort().join(', '));
  });

  it('gives reasons that add up to the score, and the profile of that', () => {
    for (let seed = 1; seed <= 60; seed++)
      for (const side of tradeSides) {
        const { reasons, riskProfile, score } = assess(randomCandles(300, { seed }), side);
        const sum = reasons.reduce((total, { points }) => total + points, 0);
        assert.equal(score, sum);
        assert.equal(riskProfile, sum <= 4 ? 'low' : sum <= 8 ? 'moderate' : 'tooRisky');
        assert.equal(reasons.length, 12);
      }
  });

  it('counts what points one way against one side only, and the rest against both', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const candles = randomCandles(300, { seed });
      const [long, short] = tradeSides.map((side) => pointsOf(assess(candles, side)));
      assert.equal(long.psar + short.psar, 1);
      assert.equal(long['btc.psar'] + short['btc.psar'], 2);
      assert.equal(long.rsiCross + short.rsiCross, 1);
      assert.equal(long.macdCross + short.macdCross, 1);
      assert.equal(long.emaCross + short.emaCross, 2);
      for (const rule of ['adx.against', 'rsi.extreme', 'candlestick'])
        assert.ok(Math.min(long[rule], short[rule]) === 0, rule);
      for (const rule of ['adx.weak', 'relativeVolume', 'atrPercent', 'dayOfWeek'])
        assert.equal(long[rule], short[rule], rule);
    }
  });

  it('finds against a short in mirrored prices what it finds against a long', () => {
    const rules = ['adx.weak', 'adx.against', 'psar', 'rsi.extreme', 'rsiCross', 'macdCross', 'emaCross'];
    for (let seed = 1; seed <= 40; seed++) {
      const candles = randomCandles(300, { seed });
      const axis = 2 * Math.max(...candles.high);
      const mirrored = copyOf(candles);
      for (let i = 0; i < 300; i++) {
        mirrored.open[i] = axis - candles.open[i];
        mirrored.close[i] = axis - candles.close[i];
        mirrored.high[i] = axis - candles.low[i];
        mirrored.low[i] = axis - candles.high[i];
      }
      const [long, short] = [pointsOf(assess(candles)), pointsOf(assess(mirrored, 'short'))];
      for (const rule of rules) assert.equal(short[rule], long[rule], `${rule}, seed ${seed}`);
    }
  });

  it('does not count the stop of the leading asset against itself', () => {
    const candles = randomCandles(300, { seed: 4 });
    for (const side of tradeSides) {
      const own = assess(candles, side, candles, true);
      const other = assess(candles, side, candles);
      assert.deepEqual(own.btc.psar, own.psar);
      assert.equal(pointsOf(own)['btc.psar'], 0);
      assert.equal(pointsOf(other)['btc.psar'], 2 * pointsOf(own).psar);
      assert.equal(own.score, other.score - 2 * pointsOf(own).psar);
    }
  });

  it('leaves out what the leading asset did after the last candle', () => {
    const leading = randomCandles(400, { seed: 12 });
    const candles = randomCandles(300, { seed: 3 });
    const known = assess(candles, 'long', sliceCandles(leading, 0, 300));
    assert.deepEqual(assess(candles, 'long', leading), known);
  });

  it('throws not_enough_history below 250 candles of the coin or of the leading asset', () => {
    const candles = randomCandles(250);
    assert.equal(assess(candles, 'long', sliceCandles(btc, 0, 250)).reasons.length, 12);
    for (const [count, known, whose] of [
      [249, 400, 'the coin'],
      [0, 400, 'the coin'],
      [250, 249, 'the leading asset'],
      [250, 0, 'the leading asset'],
    ] as const)
      assert.throws(
        () => assess(sliceCandles(candles, 0, count), 'long', sliceCandles(btc, 0, known)),
        (error: AppError) => {
          assert.ok(error instanceof AppError);
          const found = whose === 'the coin' ? count : known;
          assert.deepEqual([error.code, error.details], ['not_enough_history', { needed: 250, found }]);
          assert.equal(
            error.message,
            `a risk assessment needs 250 closed 1h candles of ${whose}, found ${found}`,
          );
          return true;
        },
      );
  });

  it('takes day and session from the close of the last candle', () => {
    // The last of 250 candles opens 249 hours after the first.
    for (const [open, day, session] of [
      ['2024-03-08T22:00Z', 'Weekday', 'Asian'],
      ['2024-03-08T23:00Z', 'Weekend', 'Asian'],
      ['2024-03-10T22:00Z', 'Weekend', 'Asian'],
      ['2024-03-10T23:00Z', 'Weekday', 'Asian'],
      ['2024-03-12T06:00Z', 'Weekday', 'Asian'],
      ['2024-03-12T07:00Z', 'Weekday', 'Europe'],
      ['2024-03-12T12:00Z', 'Weekday', 'Europe'],
      ['2024-03-12T13:00Z', 'Weekday', 'US'],
      ['2024-03-12T20:00Z', 'Weekday', 'US'],
      ['2024-03-12T21:00Z', 'Weekday', 'Asian'],
    ] as const) {
      const candles = randomCandles(250, { startMs: Date.parse(open) - 249 * 3_600_000 });
      const { dayOfWeek, marketSession } = assess(candles);
      assert.deepEqual([dayOfWeek, marketSession], [day, session], open);
    }
  });

  it('has a finite answer where price never moves: everything that needs a direction has none', () => {
    for (const price of [100, 1e-8, 1e8]) {
      const found = assess(flatCandles(300, price), 'long', flatCandles(300));
      assertFinite(found);
      assert.deepEqual([found.adx.trendDirection, found.psar.value], ['neutral', 'down']);
      assert.deepEqual(
        [found.rsiCross.value, found.macdCross.value, found.emaCross.value],
        ['neutral', 'neutral', 'neutral'],
      );
      assert.deepEqual(found.macdCross.labels, { trend: 'flat', signal: 'hold', momentum: 'flat' });
      assert.equal(pointsOf(found).atrPercent, 0);
    }
    for (const at of [5, 100, 249, 280, 299]) assertFinite(assess(frozenCandles(300, at)));
  });

  it('calls volume low where there never was any, and extreme after none', () => {
    const candles = randomCandles(300);
    candles.volume.fill(0);
    const none = assess(candles);
    assertFinite(none);
    assert.deepEqual(none.volume, { value: 'n/a', currentVolume: 0, previousVolume: 0 });
    assert.deepEqual(none.volumeAverage, {
      label: 'low',
      value: 'n/a',
      currentVolume: 0,
      averageVolume: 0,
      medianVolume: 0,
      maxVolume: 0,
      relativeVolume: '0.00',
    });
    assert.deepEqual([none.volumeSpread.momentum, pointsOf(none).relativeVolume], ['noInterest', 1]);

    candles.volume[299] = 5;
    const first = assess(candles);
    assertFinite(first);
    assert.deepEqual([first.volumeAverage.label, first.volumeAverage.relativeVolume], ['extreme', 'n/a']);
    assert.deepEqual(
      first.reasons.find(({ rule }) => rule === 'relativeVolume'),
      { rule: 'relativeVolume', value: null, threshold: '< 0.5', points: 0 },
    );
  });

  it('reads spread and volume together', () => {
    const spreadOf = (spread: number, place: number, volume: number) => {
      const candles = flatCandles(300);
      candles.high.fill(101);
      candles.low.fill(99);
      candles.volume.fill(10);
      candles.high[299] = 99 + spread;
      candles.close[299] = 99 + spread * place;
      candles.volume[299] = volume;
      return assess(candles).volumeSpread;
    };
    for (const [spread, place, volume, momentum, spreadValue, volumeValue] of [
      [4, 1, 20, 'buying', 'wide', 'high'],
      [4, 0.7, 20, 'buying', 'wide', 'high'],
      [4, 0.5, 20, 'neutral', 'wide', 'high'],
      [4, 0.3, 20, 'selling', 'wide', 'high'],
      [4, 1, 15, 'neutral', 'wide', 'average'],
      [4, 1, 4, 'noInterest', 'wide', 'low'],
      [3, 1, 20, 'neutral', 'average', 'high'],
      [0.5, 1, 20, 'absorption', 'narrow', 'high'],
      [0.5, 1, 5, 'neutral', 'narrow', 'average'],
    ] as const)
      assert.deepEqual(
        spreadOf(spread, place, volume),
        { momentum, spreadValue, volumeValue, currentVolume: volume },
        `${spread} ${place} ${volume}`,
      );
  });

  it('leaves its input as it is', () => {
    const candles = randomCandles(800);
    const before = copyOf(candles);
    assess(candles);
    assert.deepEqual(candles, before);
  });
});

describeWithSharedData('the risk profile of a long on real candles', () => {
  // As measured when the score was chosen; an other sample may differ by three points.
  const measured: [RiskProfile, number, number][] = [
    ['low', 43, 47],
    ['moderate', 43, 45],
    ['tooRisky', 10, 13],
  ];

  for (const pair of ['ETH_USDT', 'SOL_USDT', 'XRP_USDT', 'PEPE_USDT'] as const)
    it(`is spread over the labels as measured, for ${pair}`, function () {
      this.timeout(60_000);
      const candles = sharedCandles(pair, '1h');
      const leading = sharedCandles('BTC_USDT', '1h');
      const room = new Room();
      const counts: Record<RiskProfile, number> = { low: 0, moderate: 0, tooRisky: 0 };
      const length = candles.time.length;
      const sample = 2_500;
      for (let n = 1; n <= sample; n++) {
        // Indicators forget within some hundreds of candles: 1,500 tell what all would.
        const end = Math.floor(1_500 + ((length - 1_500) * n) / sample);
        const window = sliceCandles(candles, end - 1_500, end);
        const from = leading.time.indexOf(window.time[0]);
        const lead = sliceCandles(leading, from, from + 1_600);
        room.clear();
        counts[
          assessRisk({ candles: window, leading: lead, isLeading: false, side: 'long' }, room).riskProfile
        ]++;
      }
      for (const [profile, least, most] of measured) {
        const percent = (100 * counts[profile]) / sample;
        assert.ok(percent >= least - 3 && percent <= most + 3, `${profile}: ${percent} %`);
      }
    });
});
