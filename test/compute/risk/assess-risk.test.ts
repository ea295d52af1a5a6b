import assert from 'node:assert/strict';
import { sliceCandles, type Candles } from '../../../compute/model/candles.js';
import { AppError } from '../../../compute/model/errors.js';
import {
  tradeSides,
  type RiskAssessment,
  type RiskProfile,
  type TradeSide,
} from '../../../compute/model/risk-assessment.js';
import { ScratchBuffers } from '../../../compute/model/scratch-buffers.js';
import { assessTrade } from '../../../compute/risk/assess-risk.js';
import { assertRounded } from '../../support/numbers/assert-rounded.js';
import { demoCandles } from '../../support/candles/demo-candles.js';
import { readDemoRisk } from '../../support/candles/risk-points.js';
import { copyOf, flatCandles, frozenCandles } from '../../support/candles/odd-candles.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { describeWithSharedData, sharedCandles } from '../../support/candles/shared-data.js';

const btc = randomCandles(400, { seed: 9, price: 40_000 });

const assess = (candles: Candles, side: TradeSide = 'long', leading = btc, isLeading = false) =>
  assessTrade({ candles, leading, isLeading, side });

const pointsOf = ({ reasons }: RiskAssessment) =>
  Object.fromEntries(reasons.map(({ rule, points }) => [rule, points]));

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
    const scratch = new ScratchBuffers();
    for (const { pair, candles: count, side, expected } of points) {
      const candles = sliceCandles(demoCandles(pair, '1h'), 0, count);
      scratch.clear();
      const actual = assessTrade({ candles, leading, isLeading: pair === 'BTC_USDT', side }, scratch);
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
    // At other prices rounding may leave the averages a last digit apart.
    for (const price of [1e-8, 0.3, 1e8]) assertFinite(assess(flatCandles(300, price)));
    const found = assess(flatCandles(300, 128), 'long', flatCandles(300));
    assertFinite(found);
    assert.deepEqual([found.adx.trendDirection, found.psar.value], ['neutral', 'down']);
    assert.deepEqual(
      [found.rsiCross.value, found.macdCross.value, found.emaCross.value],
      ['neutral', 'neutral', 'neutral'],
    );
    assert.deepEqual(found.macdCross.labels, { trend: 'flat', signal: 'hold', momentum: 'flat' });
    assert.equal(pointsOf(found).atrPercent, 0);
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

describeWithSharedData('the risk profile of a long on real candles', function () {
  this.timeout(60_000);

  /** Percent of labels by make-risk.py on every seventh candle from the 250th on, with all history before each. */
  const reference = {
    ETH_USDT: { low: 43.0, moderate: 42.7, tooRisky: 14.3 },
    SOL_USDT: { low: 41.0, moderate: 44.7, tooRisky: 14.3 },
    XRP_USDT: { low: 40.6, moderate: 45.8, tooRisky: 13.6 },
    PEPE_USDT: { low: 40.2, moderate: 46.2, tooRisky: 13.6 },
  };
  type Pair = keyof typeof reference;
  const pairs = Object.keys(reference) as Pair[];
  const profiles: RiskProfile[] = ['low', 'moderate', 'tooRisky'];
  const sample = 2_000;
  const known = 1_500;
  /** Per pair and label, the worst move against the position within 24 hours, in percent, after each. */
  const worst = {} as Record<Pair, Record<RiskProfile, number[]>>;

  before(() => {
    const leading = sharedCandles('BTC_USDT', '1h');
    const scratch = new ScratchBuffers();
    for (const pair of pairs) {
      const candles = sharedCandles(pair, '1h');
      const moves: Record<RiskProfile, number[]> = (worst[pair] = { low: [], moderate: [], tooRisky: [] });
      const range = candles.time.length - 24 - known;
      for (let n = 0; n < sample; n++) {
        // Indicators forget: 1,500 candles tell what all would, and the sample stays quick.
        const end = known + Math.floor((range * n) / sample);
        const window = sliceCandles(candles, end - known, end);
        const from = leading.time.indexOf(window.time[0]);
        const lead = sliceCandles(leading, from, from + known + 100);
        scratch.clear();
        const { riskProfile } = assessTrade(
          { candles: window, leading: lead, isLeading: false, side: 'long' },
          scratch,
        );
        const lowest = Math.min(...candles.low.subarray(end, end + 24));
        moves[riskProfile].push(100 * (lowest / candles.close[end - 1] - 1));
      }
    }
  });

  const percent = (pair: Pair, profile: RiskProfile) => (100 * worst[pair][profile].length) / sample;

  for (const pair of pairs)
    it(`is spread over the labels as an independent implementation finds, for ${pair}`, () => {
      for (const profile of profiles) {
        const found = percent(pair, profile);
        const distance = Math.abs(found - reference[pair][profile]);
        assert.ok(distance <= 3.5, `${profile}: found ${found} %, expected ${reference[pair][profile]} %`);
      }
    });

  it('is spread as the spec has measured, give or take three points, over the four pairs', () => {
    const measured = { low: [43, 47], moderate: [43, 45], tooRisky: [10, 13] };
    for (const profile of profiles) {
      const found = pairs.reduce((sum, pair) => sum + percent(pair, profile), 0) / pairs.length;
      const [least, most] = measured[profile];
      assert.ok(found >= least - 3 && found <= most + 3, `${profile}: ${found} %`);
    }
  });

  it('is ordered by the worst move within the next day, for ETH', () => {
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const [low, moderate, tooRisky] = profiles.map((profile) => mean(worst.ETH_USDT[profile]));
    assert.ok(low > moderate && moderate > tooRisky, `${low} ${moderate} ${tooRisky}`);
  });
});
