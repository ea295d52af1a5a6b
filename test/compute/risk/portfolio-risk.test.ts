import assert from 'node:assert/strict';
import { sliceCandles } from '../../../compute/model/candles.js';
import { createRandom } from '../../../compute/model/random.js';
import { portfolioRisk, type PortfolioRiskParams } from '../../../compute/risk/portfolio-risk.js';
import type { PairCandles } from '../../../compute/task.js';
import { demoCandles } from '../../support/candles/demo-candles.js';
import { naiveCorrelation, naiveReturns } from '../../support/naive/naive-correlation.js';
import { flatCandles } from '../../support/candles/odd-candles.js';
import { candlesAt, candlesWhere, pairsOf } from '../../support/candles/pairs.js';
import { readPortfolioCases } from '../../support/gateway/portfolio-cases.js';
import { randomCandles } from '../../support/candles/random-candles.js';

const dayMs = 86_400_000;

const run = (
  pairs: readonly PairCandles[],
  holdings: Record<string, number>,
  changes: PortfolioRiskParams['changes'] = [],
  prices: PortfolioRiskParams['prices'] = [],
) => {
  const positions = Object.entries(holdings).map(([asset, quantity]) => ({ asset, quantity }));
  return portfolioRisk.run({ pairs, interval: '1d', params: { positions, changes, prices } });
};

const near = (found: number | null | undefined, expected: number, what: string) =>
  assert.ok(
    found !== null &&
      found !== undefined &&
      Math.abs(found - expected) <= 1e-8 * Math.max(1e-3, Math.abs(expected)),
    `${what}: found ${found}, expected ${expected}`,
  );

const midnights = (asset: 'BTC' | 'SOL' | 'PEPE', until = Infinity) => {
  const hours = demoCandles(`${asset}_USDT`, '1h');
  return candlesWhere(hours, (i) => hours.time[i] % dayMs === 0 && hours.time[i] < until);
};

const daily = (seed: number, count = 400) =>
  randomCandles(count, { seed, stepMs: dayMs, startMs: Date.UTC(2024, 0, 1) - count * dayMs });

describe('portfolio-risk', () => {
  for (const { until, names, holdings, expected } of readPortfolioCases().books)
    it(`of ${JSON.stringify(holdings)} among ${names.join(', ')} equals numpy`, () => {
      const pairs = pairsOf(Object.fromEntries(names.map((name) => [name, midnights(name, until)])));
      const { before, after, sample, leftOut, asOf } = run(pairs, holdings);
      assert.equal(after, null);
      assert.deepEqual([asOf, leftOut], [until, []]);
      assert.deepEqual(sample, { count: expected.count, from: expected.from - dayMs, to: until });
      near(before.value, expected.value, 'value');
      near(before.grossValue, expected.gross, 'gross value');
      near(before.concentration!.herfindahl, expected.herfindahl, 'herfindahl');
      near(before.concentration!.effectiveNumber, 1 / expected.herfindahl, 'effective number');
      near(before.beta!.beta, expected.beta, 'beta');
      for (const name of ['tail95', 'tail99'] as const) {
        const [loss, conditional, days] = expected[name];
        const { varLowPercent, varPercent, varHighPercent } = before[name]!;
        assert.equal(before[name]!.days, days);
        assert.ok((varLowPercent ?? -Infinity) < varPercent! && varPercent! < (varHighPercent ?? Infinity));
        // The fixture has percentages of the gross value.
        const leverage = expected.gross / expected.value;
        near(before[name]!.varPercent, loss * leverage, name);
        near(before[name]!.cvarPercent, conditional * leverage, name);
        near(before[name]!.varValue, (loss / 100) * expected.gross, name);
        near(before[name]!.cvarValue, (conditional / 100) * expected.gross, name);
      }
      assert.equal(before.positions.length, Object.keys(holdings).length);
      for (const { asset, weightPercent, riskSharePercent, beta, quantity } of before.positions) {
        assert.equal(quantity, holdings[asset]);
        near(weightPercent, expected.weights[asset], `weight of ${asset}`);
        near(riskSharePercent, expected.riskShares[asset], `share of ${asset}`);
        near(beta, expected.betas[asset], `beta of ${asset}`);
      }
      assert.equal(before.coveredPercent, 100);
    });

  it('shows what trades would change, on the same days', () => {
    const pairs = pairsOf({ BTC: midnights('BTC'), SOL: midnights('SOL'), PEPE: midnights('PEPE') });
    const changes = [
      { asset: 'SOL', quantityDelta: -40 },
      { asset: 'PEPE', quantityDelta: 1e9 },
      { asset: 'SOL', quantityDelta: -60 },
      { asset: 'USDT', quantityDelta: 1000 },
    ];
    const { before, after, sample } = run(pairs, { BTC: 0.5, SOL: 100 }, changes);
    const prices = [
      { asset: 'SOL', price: 150 },
      { asset: 'PEPE', price: 2e-5 },
    ];
    // 100 SOL sold at 150, 1e9 PEPE bought at 2e-5, 1,000 USDT paid in.
    const live = run(pairs, { BTC: 0.5, SOL: 100 }, changes, prices).after!;
    assert.deepEqual(live, run(pairs, { BTC: 0.5, PEPE: 1e9, USDT: -4000 }, [], prices).before);
    const closeOf = (asset: string) => pairs.find((each) => each.asset === asset)!.candles.close.at(-1)!;
    const cost = -40 * closeOf('SOL') + 1e9 * closeOf('PEPE') - 60 * closeOf('SOL');
    const direct = run(pairs, { BTC: 0.5, PEPE: 1e9, USDT: 1000 - cost });
    assert.deepEqual(after, direct.before);
    assert.deepEqual(sample, direct.sample);
    assert.deepEqual(new Set(before.positions.map(({ asset }) => asset)), new Set(['BTC', 'SOL']));
    assert.ok(sample!.count < 300);
    const none = run(pairs, { BTC: 0.3 }, [
      { asset: 'BTC', quantityDelta: -0.1 },
      { asset: 'BTC', quantityDelta: -0.2 },
    ]).after!;
    // All is sold for cash, which has no risk.
    assert.deepEqual(
      none.positions.map(({ asset }) => asset),
      ['USDT'],
    );
    near(none.value, 0.3 * closeOf('BTC'), 'cash');
    assert.equal(none.tail95!.varValue, 0);
  });

  it('adds up: weights of what is held to 100, shares of risk to 100, beta to the weighted mean', () => {
    const pairs = pairsOf({ BTC: daily(1), A: daily(2), B: daily(3), C: daily(4) });
    const { before } = run(pairs, { A: 1, B: 2, C: 3, USDT: 40 });
    const sum = (pick: (each: (typeof before.positions)[number]) => number) =>
      before.positions.reduce((total, each) => total + pick(each), 0);
    near(
      sum(({ weightPercent }) => weightPercent),
      100,
      'weights',
    );
    near(
      sum(({ riskSharePercent }) => riskSharePercent!),
      100,
      'shares',
    );
    near(
      sum(({ weightPercent, beta }) => (weightPercent / 100) * beta!),
      before.beta!.beta!,
      'beta',
    );
    const values = before.positions.map(({ value }) => value);
    assert.deepEqual(
      values,
      [...values].sort((a, b) => b - a),
    );
    assert.deepEqual(
      [before.concentration!.largest, before.concentration!.largestPercent],
      [before.positions[0].asset, before.positions[0].weightPercent],
    );
  });

  it('puts assets that move together into one cluster', () => {
    const random = createRandom(4);
    const factors = [0, 1].map(() => Array.from({ length: 200 }, () => random.unit() - 0.5));
    const asset = (factor: number[] | null, own: number) => {
      let price = 100;
      return candlesAt(
        Array.from(
          { length: 200 },
          (_, i) => (price *= 1 + 0.05 * (factor?.[i] ?? 0) + own * (random.unit() - 0.5)),
        ),
      );
    };
    const pairs = pairsOf({
      BTC: asset(factors[0], 0.01),
      A1: asset(factors[0], 0.01),
      A2: asset(factors[0], 0.02),
      B1: asset(factors[1], 0.01),
      B2: asset(factors[1], 0.01),
      LONE: asset(null, 0.05),
      FLAT: candlesAt(Array<number>(200).fill(100)),
    });
    const { before, clusterThreshold } = run(pairs, {
      A1: 1,
      B1: 3,
      LONE: 0.5,
      A2: 1,
      B2: 3,
      FLAT: 0.1,
      USDT: 500,
    });
    assert.equal(clusterThreshold, 0.7);
    assert.deepEqual(
      before.clusters.map(({ assets }) => assets),
      [['B1', 'B2'], ['A1', 'A2'], ['LONE'], ['FLAT']],
    );
    const returnsOf = (name: string) =>
      naiveReturns([...pairs.find((pair) => pair.asset === name)!.candles.close]);
    near(
      before.clusters[0].averageCorrelation,
      naiveCorrelation(returnsOf('B1'), returnsOf('B2')),
      'mean correlation',
    );
    assert.deepEqual(
      before.clusters.slice(2).map(({ averageCorrelation }) => averageCorrelation),
      [null, null],
    );
    const weight = (name: string) => before.positions.find((each) => each.asset === name)!.weightPercent;
    near(before.clusters[0].weightPercent, weight('B1') + weight('B2'), 'weight');
  });

  it('leaves what is stale or young out of the sample, but not out of the value', () => {
    const pairs = pairsOf({
      BTC: daily(1),
      A: daily(2),
      OLD: sliceCandles(daily(3), 0, 390),
      YOUNG: sliceCandles(daily(4), 340, 400),
    });
    const { before, leftOut, sample } = run(pairs, { A: 1, OLD: 1, YOUNG: 1 });
    assert.deepEqual(leftOut, [
      { asset: 'OLD', reason: 'stale' },
      { asset: 'YOUNG', reason: 'fewCandles' },
    ]);
    const price = (n: number) => pairs[n].candles.close.at(-1)!;
    near(before.grossValue, price(1) + price(2) + price(3), 'value');
    near(before.coveredPercent, (price(1) / before.grossValue) * 100, 'covered');
    assert.equal(sample!.count, 399);
    const alone = run(pairs, { A: 1 }).before;
    assert.deepEqual([before.tail95, before.beta], [alone.tail95, alone.beta]);
    const old = before.positions.find(({ asset }) => asset === 'OLD')!;
    assert.deepEqual([old.beta, old.riskSharePercent, old.price], [null, null, price(2)]);
    assert.deepEqual(
      run(pairsOf({ BTC: daily(1), A: sliceCandles(daily(2), 339, 400) }), { A: 1 }).leftOut,
      [],
    );
  });

  it('takes the last 730 days, needs 30 for any figure and 100 for one day in 100', () => {
    const counts = (count: number) => {
      const { before, sample } = run(pairsOf({ BTC: daily(1, count), A: daily(2, count) }), { A: 1 });
      return [sample?.count ?? null, before.tail95 !== null, before.tail99 !== null];
    };
    assert.deepEqual(
      [counts(900), counts(101), counts(100)],
      [
        [730, true, true],
        [100, true, true],
        [99, true, false],
      ],
    );
    const apart = pairsOf({
      BTC: candlesWhere(daily(1, 140), (i) => i % 2 === 0 || i > 130),
      A: candlesWhere(daily(2, 140), (i) => i % 2 === 1),
    });
    const { before, sample } = run([...apart, ...pairsOf({ NOW: daily(3, 140) })], { A: 1 });
    assert.deepEqual(
      [sample, before.tail95, before.beta, before.clusters, before.coveredPercent],
      [null, null, null, [], 0],
    );
  });

  it('tells losses as a share of the equity, and none where debts leave no equity', () => {
    const pairs = pairsOf({ BTC: daily(1), A: daily(2) });
    const price = (asset: 'BTC' | 'A') => pairs.find((pair) => pair.asset === asset)!.candles.close.at(-1)!;
    const alone = run(pairs, { BTC: 1 }).before.tail95!;
    // Half of the position is borrowed: the same loss is twice the share of what is owned.
    const lent = run(pairs, { BTC: 1, USDT: -price('BTC') / 2 }).before.tail95!;
    near(lent.varValue, alone.varValue, 'value');
    near(lent.varPercent, 2 * alone.varPercent!, 'percent');
    near(lent.varHighPercent, 2 * alone.varHighPercent!, 'high');
    const short = run(pairs, { BTC: 1, USDT: -2 * price('BTC') }).before.tail95!;
    assert.deepEqual(
      [short.varPercent, short.varLowPercent, short.varHighPercent, short.cvarPercent],
      [null, null, null, null],
    );
    assert.match(short.percentReason!, /^the equity is -.*: a share of it has no meaning$/);
    assert.ok(short.varValue > 0);
  });

  it('takes no return over missing days for one of a day', () => {
    const whole = daily(1, 200);
    const holed = candlesWhere(whole, (i) => i < 60 || (i >= 90 && i % 20 !== 5));
    const { sample, before } = run(pairsOf({ BTC: holed }), { BTC: 1 });
    const kept = [...holed.time.keys()].filter((i) => i > 0 && holed.time[i] - holed.time[i - 1] === dayMs);
    assert.equal(sample!.count, kept.length);
    const returns = kept.map((i) => holed.close[i] / holed.close[i - 1] - 1).sort((a, b) => a - b);
    const place = (returns.length - 1) * 0.05;
    const at = Math.floor(place);
    near(
      before.tail95!.varPercent,
      -100 * (returns[at] + (place - at) * (returns[at + 1] - returns[at])),
      'value at risk',
    );
  });

  it('has no beta without BTC, and no risk in cash', () => {
    assert.equal(run(pairsOf({ A: daily(2) }), { A: 1 }).before.beta, null);
    const { before } = run(pairsOf({ BTC: daily(1) }), { USDT: 700 });
    const none = {
      varPercent: 0,
      varLowPercent: 0,
      varHighPercent: 0,
      cvarPercent: 0,
      percentReason: null,
      varValue: 0,
      cvarValue: 0,
    };
    assert.deepEqual(before.tail95, { ...none, days: 399 });
    assert.deepEqual(
      [before.value, before.beta!.beta, before.positions[0].riskSharePercent, before.clusters],
      [700, 0, null, []],
    );
    const still = run(pairsOf({ BTC: { ...flatCandles(120), time: daily(1, 120).time } }), { BTC: 1 }).before;
    assert.deepEqual([still.beta!.beta, still.tail99!.varPercent], [null, 0]);
    assert.doesNotMatch(JSON.stringify([before, still]), /NaN|Infinity/);
  });

  it('gives a portfolio without a value no concentration, and its positions no weight', () => {
    // A quantity so small that its value is 0 as a double.
    const pairs = pairsOf({ BTC: daily(1), A: randomCandles(400, { seed: 2, stepMs: dayMs, price: 1e-5 }) });
    const { before } = run(pairs, { A: 1e-323 });
    assert.deepEqual(
      [before.grossValue, before.positions[0].weightPercent, before.concentration, before.reason],
      [0, 0, null, 'the book is empty'],
    );
    assert.doesNotMatch(JSON.stringify(before.positions), /"weightPercent":null/);
  });

  it('adds up positions of one asset, and takes an empty portfolio for what it is', () => {
    const pairs = pairsOf({ BTC: daily(1), A: daily(2) });
    const positions = [
      { asset: 'A', quantity: 1 },
      { asset: 'BTC', quantity: 1 },
      { asset: 'A', quantity: 2 },
    ];
    const question = { pairs, interval: '1d' as const, params: { positions, changes: [], prices: [] } };
    assert.deepEqual(portfolioRisk.run(question).before, run(pairs, { A: 3, BTC: 1 }).before);
    const { before } = run(pairs, {});
    assert.deepEqual(
      [before.positions, before.value, before.concentration, before.tail99, before.beta, before.clusters],
      [[], 0, null, null, null, []],
    );
  });

  it('refuses an asset without a price, other candles than those of a day, and a market without any', () => {
    const pairs = pairsOf({ BTC: daily(1), NONE: daily(2, 0) });
    for (const asset of ['NONE', 'UNKNOWN'])
      assert.throws(() => run(pairs, { [asset]: 1 }), {
        code: 'invalid_input',
        message: `there is no price of "${asset}"`,
        details: { field: 'positions', asset },
      });
    assert.throws(() => run(pairs, { BTC: 1 }, [{ asset: 'UNKNOWN', quantityDelta: 1 }]), {
      code: 'invalid_input',
    });
    assert.throws(
      () => portfolioRisk.run({ pairs, interval: '1h', params: { positions: [], changes: [], prices: [] } }),
      {
        code: 'invalid_input',
        details: { field: 'interval' },
      },
    );
    assert.throws(() => run([], {}), { code: 'not_enough_history' });
  });
});
