import assert from 'node:assert/strict';
import type { Candles } from '../../../compute/model/candles.js';
import { createRandom } from '../../../compute/model/random.js';
import type { PairCandles } from '../../../compute/task.js';
import { pairRelationship } from '../../../compute/market/pair-relationship.js';
import { demoCandles, type demoPairs } from '../../support/candles/demo-candles.js';
import { candlesAt, candlesWhere, pairsOf } from '../../support/candles/pairs.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { readFixture } from '../../support/candles/fixture.js';

type DemoPair = (typeof demoPairs)[number];
type Three = [value: number, low: number, high: number];

/** The relationship of two demo assets on 1h candles that open before `until`, every 37th of the asset's left out. */
interface PairCase {
  asset: DemoPair;
  second: DemoPair;
  until: number;
  window: number;
  expected: {
    count: number;
    gaps: number;
    from: number;
    to: number;
    correlation: Three;
    rolling: [count: number, now: number, min: number, max: number, median: number];
    beta: Three;
    alpha: Three;
    rSquared: number;
    lags: number[];
    ratio: [now: number, mean: number, deviation: number, zScore: number];
    spread: [hedgeRatio: number, intercept: number, now: number];
    autoregression: number;
    halfLife: number;
    cointegration: [statistic: number, p: number];
    reverseP: number;
  };
}

/** Relationships by pandas, scipy and statsmodels; see test/fixtures/make-pair-relationship.py. */
const readPairCases = (): PairCase[] =>
  (readFixture('pair-relationship.json.gz') as { cases: PairCase[] }).cases;

const run = (pairs: readonly PairCandles[], window = 180) => {
  const [asset, secondAsset] = [pairs[0].asset, pairs[pairs.length - 1].asset];
  return pairRelationship.run({ pairs, interval: '1h', params: { asset, secondAsset, window } });
};

const relate = (first: Candles, second: Candles, window?: number) =>
  run(pairsOf({ A: first, B: second }), window);

const near = (found: readonly (number | null)[], expected: readonly number[], share: number, what: string) =>
  expected.forEach((value, i) =>
    assert.ok(
      found[i] !== null && Math.abs(found[i] - value) <= share * Math.max(Math.abs(value), 1e-3),
      `${what} ${i}: found ${found[i]}, expected ${value}`,
    ),
  );

const normals = (count: number, seed: number) => {
  const random = createRandom(seed);
  return Array.from(
    { length: count },
    () => Math.sqrt(-2 * Math.log(1 - random.unit())) * Math.cos(2 * Math.PI * random.unit()),
  );
};

/** Hourly closes that follow from changes of their logarithm. */
const walk = (changes: readonly number[]) => {
  let level = Math.log(100);
  return candlesAt(
    changes.map((change) => Math.exp((level += change))),
    { stepMs: 3_600_000 },
  );
};

describe('pair-relationship', () => {
  it('says why the spread has no z-score where the second price moves on the last candle alone', () => {
    let level = 0;
    const first = candlesAt(
      normals(180, 5).map((noise) => Math.exp(4 + (level = 0.5 * level + 0.01 * noise))),
      { stepMs: 3_600_000 },
    );
    const second = candlesAt([...Array<number>(179).fill(100), 101], { stepMs: 3_600_000 });
    const spread = relate(first, second).spread!;
    assert.deepEqual([spread.zScore, spread.reason], [null, 'the spread moved on the last candle alone']);
  });

  for (const { asset, second, until, window, expected } of readPairCases())
    it(`of ${asset} and ${second} over ${window} equals pandas, scipy and statsmodels`, () => {
      const [first, other] = [demoCandles(asset, '1h'), demoCandles(second, '1h')];
      const pairs = pairsOf({
        [asset]: candlesWhere(first, (i) => i % 37 !== 0 && first.time[i] < until),
        [second]: candlesWhere(other, (i) => other.time[i] < until),
      });
      const found = run(pairs, window);
      assert.deepEqual([found.asset, found.secondAsset], [asset, second]);
      const { count, gaps, from, to } = expected;
      assert.deepEqual([found.count, found.gaps, found.from, found.to], [count, gaps, from, to]);
      const { correlation, rolling, beta, leadLag, ratio, spread, cointegration } = found;
      near(
        [correlation.correlation, correlation.low, correlation.high],
        expected.correlation,
        1e-9,
        'correlation',
      );
      near(
        [rolling.count, rolling.now, rolling.min, rolling.max, rolling.median],
        expected.rolling,
        1e-9,
        'rolling',
      );
      near([beta.beta, beta.betaLow, beta.betaHigh], expected.beta, 1e-6, 'beta');
      const alpha = [
        beta.alphaPercentPerCandle,
        beta.alphaLowPercentPerCandle,
        beta.alphaHighPercentPerCandle,
      ];
      near(alpha, expected.alpha, 1e-6, 'alpha');
      near(
        [beta.rSquared, beta.alphaPercentPerYear],
        [expected.rSquared, expected.alpha[0] * 8760],
        1e-9,
        'beta',
      );
      near(
        leadLag.lags.map((each) => each.correlation),
        expected.lags,
        1e-9,
        'lag',
      );
      near(
        [ratio.now / 1e-6, ratio.mean / 1e-6, ratio.deviation / 1e-6],
        expected.ratio.slice(0, 3).map((x) => x / 1e-6),
        1e-9,
        'ratio',
      );
      if (ratio.revertsP! >= 0.05 || window < 90) assert.equal(ratio.zScore, null);
      else near([ratio.zScore], expected.ratio.slice(3), 0.2, 'the z-score of all closes, about');
      near([spread!.hedgeRatio, spread!.intercept, spread!.now], expected.spread, 1e-8, 'spread');
      near([spread!.autoregression], [expected.autoregression], 1e-8, 'autoregression');
      const [statistic, forwardP] = expected.cointegration;
      near([cointegration!.statistic, cointegration!.forwardP], [statistic, forwardP], 1e-6, 'cointegration');
      near([cointegration!.reverseP], [expected.reverseP], 1e-6, 'reverse');
      // A short sample makes twice the smaller p-value a little larger.
      const twice = Math.min(1, 2 * Math.min(forwardP, expected.reverseP));
      assert.ok(cointegration!.p >= twice && cointegration!.p <= Math.min(1, twice * (1 + 40 / window)));
      assert.equal(cointegration!.isCointegrated, cointegration!.p < 0.05 && window >= 90);
      if (cointegration!.isCointegrated)
        near([spread!.halfLifeCandles], [expected.halfLife], 1e-8, 'half-life');
      else assert.deepEqual([spread!.halfLifeCandles, spread!.zScore], [null, null]);
    });

  it('keeps the extremes of the rolling correlation in at most 120 points, the last one now', () => {
    const { rolling } = relate(demoCandles('BTC_USDT', '1h'), demoCandles('SOL_USDT', '1h'), 730);
    const values = rolling.series.map(({ value }) => value);
    assert.ok(values.length <= 120 && rolling.count === 730);
    assert.deepEqual(
      [Math.min(...values), Math.max(...values), values.at(-1)],
      [rolling.min, rolling.max, rolling.now],
    );
    assert.equal(rolling.series.at(-1)!.time * 1000, demoCandles('BTC_USDT', '1h').time.at(-1));
  });

  it('finds who leads and by how much', () => {
    const [shocks, own] = [normals(400, 1), normals(400, 2)];
    const leader = walk(shocks.map((shock) => shock / 100));
    const follower = walk(own.map((each, i) => (each + (i >= 3 ? 2 * shocks[i - 3] : 0)) / 100));
    const { leadLag } = relate(follower, leader, 365);
    assert.deepEqual([leadLag.best!.lag, leadLag.standsOut, leadLag.leader], [3, true, 'second']);
    assert.equal(leadLag.strongestLead, leadLag.best);
    // 99.875 % of a normal distribution lie below 3.0233: one lag of twenty beyond it on either side is 5 %.
    // The error of the correlation of a and b = (2 a + e) / sqrt(5) is sqrt((1 + 2 x 0.8) / 362): squares go together.
    near([leadLag.limit], [3.0233414 * Math.sqrt(2.6 / 362)], 0.1, 'limit');
    const turned = relate(leader, follower, 365).leadLag;
    assert.deepEqual([turned.best!.lag, turned.leader], [-3, 'first']);
  });

  it('finds a lead in one of twenty series without one', () => {
    let found = 0;
    for (let seed = 0; seed < 200; seed++) {
      const [shocks, own] = [normals(181, 2 * seed + 11), normals(181, 2 * seed + 12)];
      const { leadLag } = relate(
        walk(shocks.map((x) => x / 100)),
        walk(own.map((x, i) => (x + shocks[i]) / 100)),
      );
      assert.equal(leadLag.best!.lag, 0);
      found += Number(leadLag.standsOut);
    }
    assert.ok(found >= 2 && found <= 20, `${found} of 200`);
  });

  it('knows prices that stay together from prices that do not', () => {
    const [shocks, own] = [normals(731, 5), normals(731, 6)];
    const market = walk(shocks.map((x) => x / 100));
    let distance = 0;
    const bound = own.map((x) => (distance = 0.8 * distance + x / 200));
    const partner = candlesAt(
      Array.from(market.close, (price, i) => 3 * price ** 1.5 * Math.exp(bound[i])),
      { stepMs: 3_600_000 },
    );
    const { spread, cointegration } = relate(partner, market, 730);
    assert.ok(Math.abs(spread!.hedgeRatio - 1.5) < 0.02 && cointegration!.p < 0.001);
    // ln(1/2) / ln(0.8) is 3.1.
    assert.ok(spread!.halfLifeCandles! > 2 && spread!.halfLifeCandles! < 4.5);
    assert.deepEqual([spread!.reason, cointegration!.isCointegrated], [null, true]);
    // The line and the deviation come from the closes before the last one.
    const y = Array.from(partner.close.slice(-731), Math.log);
    const x = Array.from(market.close.slice(-731), Math.log);
    const [meanX, meanY] = [x, y].map((values) => values.slice(0, -1).reduce((sum, v) => sum + v, 0) / 730);
    const slope =
      x.slice(0, -1).reduce((sum, v, i) => sum + (v - meanX) * (y[i] - meanY), 0) /
      x.slice(0, -1).reduce((sum, v) => sum + (v - meanX) ** 2, 0);
    const residuals = y.map((v, i) => v - meanY - slope * (x[i] - meanX));
    const deviation = Math.sqrt(residuals.slice(0, -1).reduce((sum, v) => sum + v * v, 0) / 729);
    near([spread!.zScore], [residuals.at(-1)! / deviation], 1e-6, 'z-score');
    const unrelated = relate(walk(own.map((x) => x / 100)), market, 730);
    assert.ok(unrelated.cointegration!.p > 0.05);
    const { zScore, halfLifeCandles, reason } = unrelated.spread!;
    assert.deepEqual([zScore, halfLifeCandles, unrelated.ratio.zScore], [null, null, null]);
    assert.match(reason!, /^the prices are not shown to stay together: p \d\.\d{3} is not below 0\.05$/);
    assert.match(unrelated.ratio.reason!, /^the ratio is not shown to return to a level: p \d/);
  });

  it('has nothing to say where a price stands still, and no rounding to offer where both are one', () => {
    const moving = walk(normals(200, 3).map((x) => x / 100));
    const still = candlesAt(Array<number>(200).fill(5), { stepMs: 3_600_000 });
    const beside = relate(moving, still);
    assert.deepEqual(
      [
        beside.correlation.correlation,
        beside.rolling.now,
        beside.beta.beta,
        beside.leadLag.best,
        beside.spread,
        beside.cointegration,
      ],
      [null, null, null, null, null, null],
    );
    assert.deepEqual([beside.rolling.count, beside.rolling.series, beside.beta.count], [0, [], 180]);
    const turned = relate(still, moving);
    assert.deepEqual([turned.beta.beta, turned.beta.rSquared, turned.spread], [0, null, null]);
    const twin = { ...moving, close: moving.close.map((price) => price * 0.3) };
    const one = relate(twin, moving);
    assert.deepEqual(
      [one.ratio.zScore, one.spread!.zScore, one.spread!.halfLifeCandles, one.cointegration],
      [null, null, null, null],
    );
    assert.ok(Math.abs(one.beta.beta! - 1) < 1e-9);
    assert.doesNotMatch(JSON.stringify([beside, turned, one]), /NaN|Infinity/);
    assert.deepEqual(JSON.parse(JSON.stringify(one)), one);
  });

  it('takes prices of any size', () => {
    const base = randomCandles(200, { seed: 3 });
    const scaled = (factor: number) => ({ ...base, close: base.close.map((price) => price * factor) });
    const [tiny, large] = [1e-10, 1e6].map((factor) =>
      relate(scaled(factor), randomCandles(200, { seed: 4 })),
    );
    near(
      [tiny.ratio.revertsP, tiny.beta.beta, tiny.cointegration!.p],
      [large.ratio.revertsP!, large.beta.beta!, large.cointegration!.p],
      1e-6,
      'z',
    );
  });

  it('needs 30 common returns of two different assets', () => {
    const short = (count: number) => randomCandles(count, { seed: 9 });
    assert.equal(relate(short(31), randomCandles(300)).count, 30);
    assert.throws(() => relate(short(30), randomCandles(300)), {
      code: 'not_enough_history',
      details: { needed: 31, found: 30, asset: 'A' },
    });
    const twice = [...pairsOf({ A: short(100) }), ...pairsOf({ A: short(100) })];
    assert.throws(() => run(twice), {
      code: 'invalid_input',
      message: 'expected another asset than "A"',
      details: { field: 'secondAsset' },
    });
    const params = { asset: 'A', secondAsset: 'B', window: 180 };
    assert.throws(() => pairRelationship.run({ pairs: twice.slice(1), interval: '1h', params }), {
      code: 'invalid_input',
      message: 'there are no candles of "B"',
      details: { field: 'secondAsset', asset: 'B' },
    });
  });

  it('says when one of them has ended', () => {
    const [first, second] = [randomCandles(200), randomCandles(150, { seed: 2 })];
    const found = relate(first, second, 100);
    assert.deepEqual([found.staleAssets, found.to], [['B'], second.time[149] + 3_600_000]);
  });
});
