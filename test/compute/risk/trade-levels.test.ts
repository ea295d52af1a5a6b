import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Candles } from '../../../compute/model/candles.js';
import { AppError } from '../../../compute/model/errors.js';
import { tradeSides } from '../../../compute/model/risk-assessment.js';
import {
  planTradeLevels,
  riskStyles,
  tradeLevels,
  type TradeLevelParams,
  type TradePlan,
} from '../../../compute/risk/trade-levels.js';
import { analysisJob } from '../../../jobs/definitions/shared/analysis-job.js';
import { assertAlike } from '../../support/numbers/assert-alike.js';
import { expectedReadings } from '../../support/candles/demo-readings.js';
import { copyOf } from '../../support/candles/odd-candles.js';
import { randomCandles } from '../../support/candles/random-candles.js';

const presets: TradeLevelParams = { side: 'long', entry: null, riskStyle: 'normal', targets: 6 };

const plan = (candles = randomCandles(600), params: Partial<TradeLevelParams> = {}) =>
  planTradeLevels({ candles, interval: '1h', params: { ...presets, ...params } });

/** The same candles with prices turned over: what rose by some amount falls by it. */
function turnedOver(candles: Candles, sum: number): Candles {
  const turned = copyOf(candles);
  for (let i = 0; i < candles.time.length; i++) {
    turned.open[i] = sum - candles.open[i];
    turned.high[i] = sum - candles.low[i];
    turned.low[i] = sum - candles.high[i];
    turned.close[i] = sum - candles.close[i];
  }
  return turned;
}

const arbitraryParams = fc.record({
  side: fc.constantFrom(...tradeSides),
  riskStyle: fc.constantFrom(...riskStyles),
  targets: fc.integer({ min: 1, max: 6 }),
});

describe('planTradeLevels', () => {
  const points = expectedReadings<{ plans: TradePlan[] }>('trade-levels');

  it('equals an independent implementation in every field', () => {
    assert.ok(points.length > 60);
    for (const { title, question, expected } of points)
      for (const wanted of expected.plans) {
        const { side, riskStyle } = wanted;
        const params = { ...presets, side, riskStyle };
        const { asOf, price, candles, ...found } = planTradeLevels({ ...question, params });
        const { plans: _plans, ...at } = expected;
        assertAlike({ asOf, price, candles }, at, title);
        assertAlike(found, wanted, `${title} ${side} ${riskStyle}`, price);
      }
  });

  it('is tested with stops and targets of every basis, and with obstacles', () => {
    const plans = points.flatMap(({ expected }) => expected.plans);
    assert.equal(new Set(plans.map(({ stop }) => stop.basis)).size, 2);
    assert.equal(new Set(plans.flatMap(({ targets }) => targets.map(({ basis }) => basis))).size, 5);
    assert.ok(plans.some(({ obstacles }) => obstacles.length === 0));
    assert.ok(plans.some(({ obstacles }) => obstacles.length === 3));
  });

  it('puts stop, entry range and targets in the order that a signal asks for', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), arbitraryParams, (seed, params) => {
        const { side, entry, stop, targets } = plan(randomCandles(300, { seed }), params);
        const prices = [stop.price, entry.min, entry.max, ...targets.map(({ price }) => price)];
        if (side === 'short') [prices[1], prices[2]] = [entry.max, entry.min];
        const way = side === 'long' ? 1 : -1;
        for (let n = 1; n < prices.length; n++)
          assert.ok(way * (prices[n] - prices[n - 1]) > 0, prices.join(' '));
        assert.ok(entry.min < entry.price && entry.price < entry.max);
        assert.equal(targets.length, params.targets);
      }),
      { numRuns: 60 },
    );
  });

  it('turns over when prices are turned over', () => {
    const sum = 1000;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), arbitraryParams, (seed, params) => {
        const candles = randomCandles(400, { seed, price: 480 });
        const other = params.side === 'long' ? 'short' : 'long';
        const found = plan(candles, params);
        const turned = plan(turnedOver(candles, sum), { ...params, side: other });
        // What would lie below 0 is left out, on one side only.
        fc.pre(found.targets.length === turned.targets.length);
        const shape = (
          { atr, entry, stop, targets, obstacles }: TradePlan,
          back: (price: number) => number,
        ) => ({
          atr,
          entry: [entry.min, entry.price, entry.max].map(back).sort((a, b) => a - b),
          stop: [back(stop.price), stop.riskAtr, stop.swingTime],
          targets: targets.map(({ price, r, worstR, basis, breakEvenPercent }) => ({
            ...{ price: back(price), r, worstR, basis, breakEvenPercent },
          })),
          obstacles: obstacles.map(({ price, r, kind }) => ({ price: back(price), r, kind })),
        });
        const expected = shape(found, (price) => price);
        assertAlike(
          shape(turned, (price) => sum - price),
          expected,
          `seed ${seed}`,
          sum * 10,
        );
      }),
      { numRuns: 60 },
    );
  });

  it('scales with prices', () => {
    const candles = randomCandles(500, { seed: 3 });
    const tiny = copyOf(candles);
    for (const column of ['open', 'high', 'low', 'close'] as const)
      tiny[column].forEach((price, i) => (tiny[column][i] = price * 2 ** -30));
    const [found, small] = [plan(candles), plan(tiny)];
    assert.equal(small.stop.price, found.stop.price * 2 ** -30);
    assert.deepEqual(
      small.targets.map(({ r, level }) => [r, level]),
      found.targets.map(({ r, level }) => [r, level]),
    );
  });

  it('says what is gained for what is risked, and how often that must come off', () => {
    for (const side of tradeSides) {
      const { entry, stop, targets } = plan(randomCandles(600, { seed: 5 }), { side });
      for (const { price, r, worstR, breakEvenPercent } of targets) {
        assert.ok(Math.abs(r - Math.abs(price - entry.price) / Math.abs(entry.price - stop.price)) < 1e-9);
        const edge = side === 'long' ? entry.max : entry.min;
        assert.ok(Math.abs(worstR - Math.abs(price - edge) / Math.abs(edge - stop.price)) < 1e-9);
        assert.ok(worstR < r);
        const share = breakEvenPercent / 100;
        assert.ok(Math.abs(share * r - (1 - share)) < 1e-9);
      }
    }
  });

  it('gives a wider stop for a wider style', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const lengths = riskStyles.map(
        (riskStyle) => plan(randomCandles(400, { seed }), { riskStyle }).stop.riskAtr,
      );
      assert.ok(lengths[0] >= 0.75 && lengths[0] <= 1.5);
      assert.ok(lengths[1] >= 1.5 && lengths[1] <= 3);
      assert.ok(lengths[2] >= 2.25 && lengths[2] <= 4.5);
    }
  });

  it('plans around an entry other than the last close, and says that it is far', () => {
    const candles = randomCandles(600);
    const price = candles.close[599];
    const { entry, stop, notes } = plan(candles, { entry: price * 0.8 });
    assert.equal(entry.price, price * 0.8);
    assert.ok(Math.abs(entry.distancePercent + 20) < 1e-9);
    assert.ok(stop.price < price * 0.8);
    assert.match(notes.join(), /the entry is \d+\.\d ATR below the last close/);
    assert.deepEqual(plan(candles, { entry: price }), plan(candles));
    const notesAt = (ranges: number) =>
      plan(candles, { entry: price + ranges * plan(candles).atr }).notes.join();
    assert.doesNotMatch(notesAt(2.9), /last close/);
    assert.match(notesAt(3.1), /3\.1 ATR above the last close/);
  });

  const refuses = (field: string, candles: Candles, params: Partial<TradeLevelParams>) =>
    assert.throws(
      () => plan(candles, params),
      (error) => error instanceof AppError && error.code === 'invalid_input' && error.details.field === field,
    );

  it('refuses an entry that is no price, and a stop that would not be one', () => {
    for (const entry of [0, -1, NaN, Infinity]) refuses('entry', randomCandles(100), { entry });
    refuses('riskStyle', randomCandles(100), { entry: 1e-3 });
    // So far away that the stop would fall on the entry itself.
    refuses('entry', randomCandles(100, { price: 1e-8 }), { entry: 1e15 });
  });

  it('refuses an entry range of a short that would reach 0', () => {
    const candles = randomCandles(100);
    // A normal range reaches an eighth of an ATR from the entry towards the targets.
    const { atr } = plan(candles);
    refuses('riskStyle', candles, { side: 'short', entry: atr / 8.001 });
    assert.ok(plan(candles, { side: 'short', entry: atr / 7.999 }).entry.min > 0);
  });

  it('leaves out targets of a short that would not be prices', () => {
    const { targets, notes } = plan(randomCandles(100), { side: 'short', entry: 10 });
    assert.ok(targets.length < 6 && targets.every(({ price }) => price > 0));
    assert.match(notes.join(), /of the targets would lie at or below 0/);
  });
});

describe('trade-levels job', () => {
  it('plans a normal long at the last close with three targets unless told otherwise', () => {
    const check = (params: object) =>
      analysisJob(tradeLevels).payload.validate({ key: {}, digest: 'd', params });
    assert.deepEqual(check({}).value.params, { side: 'long', entry: null, riskStyle: 'normal', targets: 3 });
    for (const bad of [
      { side: 'both' },
      { entry: 0 },
      { entry: 'ten' },
      { riskStyle: 'loose' },
      { targets: 0 },
      { targets: 7 },
    ])
      assert.ok(check(bad).error, JSON.stringify(bad));
  });

  it('reads an entry as a decimal number', () => {
    const series = { candles: randomCandles(600), interval: '1h' } as const;
    const params = { ...presets, entry: '97.5' };
    assert.deepEqual(
      tradeLevels.run({ ...series, params }),
      planTradeLevels({ ...series, params: { ...presets, entry: 97.5 } }),
    );
  });
});
