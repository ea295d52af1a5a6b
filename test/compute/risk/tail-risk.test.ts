import assert from 'node:assert/strict';
import { correlation } from '../../../compute/metrics/correlation.js';
import { linearRegression } from '../../../compute/metrics/linear-regression.js';
import { mean, candleReturns, totalReturn } from '../../../compute/metrics/returns.js';
import { sharpe } from '../../../compute/metrics/return-ratios.js';
import { sliceCandles, type Candles } from '../../../compute/model/candles.js';
import { utcDay } from '../../../compute/model/utc-day.js';
import { readTailRisk, type TailRisk } from '../../../compute/risk/tail-risk.js';
import type { PairCandles } from '../../../compute/task.js';
import { demoCandles } from '../../support/candles/demo-candles.js';
import { dropCandles } from '../../support/candles/drop-candles.js';
import { copyOf, flatCandles } from '../../support/candles/odd-candles.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { describeWithSharedData, sharedCandles, sharedJson } from '../../support/candles/shared-data.js';

const dayMs = 86_400_000;

/** Day by day what one unit of money in fixed shares becomes, on the days that every series has. */
function naiveBasket(series: readonly Candles[], shares: readonly number[], firstMs = -Infinity) {
  const byTime = series.map(({ time, close }) => new Map(Array.from(time, (each, i) => [each, close[i]])));
  const days = [...byTime[0].keys()].filter(
    (day) => day >= firstMs && byTime.every((closes) => closes.has(day)),
  );
  const worth = [1];
  days.slice(1).forEach((day, i) => {
    const grown = byTime.map((closes, m) => (shares[m] * closes.get(day)!) / closes.get(days[i])!);
    worth.push(worth[i] * grown.reduce((a, b) => a + b, 0));
  });
  return { days, worth };
}

/** Returns over so many days, where each day in between is there. */
function naiveReturns({ days, worth }: ReturnType<typeof naiveBasket>, over: number): number[] {
  const worthOn = new Map(days.map((day, i) => [day, worth[i]]));
  const isWhole = (day: number) =>
    Array.from({ length: over + 1 }, (_, n) => day + n * dayMs).every((each) => worthOn.has(each));
  return days.filter(isWhole).map((day) => worthOn.get(day + over * dayMs)! / worthOn.get(day)! - 1);
}

const pairOf = (asset: string, candles: Candles): PairCandles => ({ asset, tradeMarket: 'USDT', candles });

const near = (actual: number | null, expected: number, what: string) =>
  assert.ok(
    actual !== null && Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected)),
    `${what}: found ${actual}, expected ${expected}`,
  );

const ofDays = (count: number, seed = 1) => randomCandles(count, { seed, stepMs: dayMs });

const single = (candles: Candles, lookbackDays = 1825): TailRisk =>
  readTailRisk([pairOf('BTC', candles)], '1d', { weights: { BTC: 1 }, lookbackDays });

/** The quantile by counting, for values in any order: between the two next to the place, linearly. */
function naiveQuantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low * (1 - (place % 1)) + high * (place % 1);
}

function assertHorizons(found: TailRisk, basket: ReturnType<typeof naiveBasket>) {
  const daily = naiveReturns(basket, 1);
  const logs = daily.map(Math.log1p);
  const average = logs.reduce((a, b) => a + b, 0) / logs.length;
  const deviation = Math.sqrt(logs.reduce((sum, r) => sum + (r - average) ** 2, 0) / (daily.length - 1));
  assert.equal(found.returns, daily.length);
  // 5 % and 1 % quantiles of the standard normal distribution: any table.
  const normal = { 95: -1.6448536269514722, 99: -2.3263478740408408 };
  for (const { days, count, independent, losses } of found.horizons) {
    const returns = naiveReturns(basket, days);
    assert.deepEqual([count, independent], [returns.length, Math.ceil(returns.length / days)]);
    for (const { confidencePercent, historical, historicalReason, parametric } of losses) {
      const what = `${confidencePercent} % over ${days} days`;
      const limit = naiveQuantile(returns, 1 - confidencePercent / 100);
      const tail = returns.filter((each) => each <= limit + 1e-15);
      const needed = confidencePercent === 95 ? 20 : 100;
      assert.equal(historical === null, independent < needed, what);
      if (historical) {
        near(historical.varPercent, -limit * 100, `VaR ${what}`);
        near(historical.cvarPercent, (-tail.reduce((a, b) => a + b, 0) / tail.length) * 100, `CVaR ${what}`);
        assert.equal(historical.tail, tail.length);
        assert.ok((historical.varLowPercent ?? -Infinity) <= historical.varPercent);
        assert.ok((historical.varHighPercent ?? Infinity) >= historical.varPercent);
        assert.equal(historicalReason, null);
      } else
        assert.equal(
          historicalReason,
          `needs ${needed} returns over ${days} days that do not overlap, found ${independent}`,
        );
      const [z, width] = [normal[confidencePercent as 95 | 99], deviation * Math.sqrt(days)];
      near(parametric.varPercent, (1 - Math.exp(z * width)) * 100, `lognormal VaR ${what}`);
      // The mean of the lognormal tail by the midpoint rule over the normal density.
      let expected = 0;
      for (let x = z - 10 + 5e-5; x < z; x += 1e-4)
        expected += (1e-4 * (1 - Math.exp(x * width)) * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
      assert.ok(
        Math.abs(parametric.cvarPercent - (expected / (1 - confidencePercent / 100)) * 100) < 1e-3,
        `lognormal CVaR ${what}`,
      );
    }
  }
}

describe('readTailRisk', () => {
  it('finds what counting finds, over one day and several', () => {
    const candles = demoCandles('SOL_USDT', '1d');
    assertHorizons(
      single(candles),
      naiveBasket([candles], [1], candles.time[candles.time.length - 1] - 1825 * dayMs),
    );
  });

  it('looks back as many days as asked', () => {
    const candles = demoCandles('BTC_USDT', '1d');
    const found = single(candles, 90);
    assert.equal(found.to, candles.time[candles.time.length - 1]);
    assert.equal(found.from, found.to - 90 * dayMs);
    assertHorizons(found, naiveBasket([candles], [1], found.from));
    assert.deepEqual(found.notes, []);
  });

  it('holds a basket in fixed shares on the days that all assets have', () => {
    const [btc, sol, pepe] = (['BTC_USDT', 'SOL_USDT', 'PEPE_USDT'] as const).map((pair) =>
      demoCandles(pair, '1d'),
    );
    const holed = dropCandles(sol, (i) => i % 50 === 3);
    const late = sliceCandles(btc, 0, btc.time.length - 10);
    const pairs = [pairOf('PEPE', pepe), pairOf('BTC', late), pairOf('SOL', holed), pairOf('XRP', btc)];
    const found = readTailRisk(pairs, '1d', {
      weights: { BTC: 3, SOL: 1.5, XRP: 0, PEPE: 0.5 },
      lookbackDays: 1825,
    });
    assert.deepEqual(found.weights, [
      { asset: 'BTC', weight: 0.6 },
      { asset: 'SOL', weight: 0.3 },
      { asset: 'PEPE', weight: 0.1 },
    ]);
    const basket = naiveBasket([late, holed, pepe], [0.6, 0.3, 0.1]);
    assert.deepEqual([found.from, found.to], [basket.days[0], basket.days[basket.days.length - 1]]);
    assertHorizons(found, basket);
    assert.match(found.notes[0], /^the common history is \d+ days, shorter than 1825$/);
    assert.match(found.notes[1], /^\d+ days are missing: no return spans them$/);
    for (const { percent, contributions } of found.worstDays)
      near(
        contributions.reduce((sum, { points }) => sum + points, 0),
        percent,
        'sum of contributions',
      );
  });

  it('lists the deepest falls, with the day each began, ended and was made good', () => {
    const path = [100, 110, 99, 105, 110, 120, 60, 90, 120, 125, 124, 130, 104, 110];
    const closes = [...Array<number>(30).fill(100), ...path];
    const candles = ofDays(closes.length);
    candles.close.set(closes);
    const { time } = candles;
    const found = single(candles);
    assert.deepEqual(
      found.drawdowns.map(({ peak, trough, recovery, daysDown, days }) => [
        peak,
        trough,
        recovery,
        daysDown,
        days,
      ]),
      [
        [time[35], time[36], time[38], 1, 3],
        [time[41], time[42], null, 1, 2],
        [time[31], time[32], time[34], 1, 3],
        [time[39], time[40], time[41], 1, 2],
      ],
    );
    [-50, -20, -10, -0.8].forEach((depth, n) => near(found.drawdowns[n].depthPercent, depth, `depth ${n}`));
    near(found.maxDrawdownPercent, -50, 'max drawdown');
    assert.deepEqual(
      found.worstDays.map(({ time: day }) => day),
      [time[36], time[42], time[32], time[40]],
    );
  });

  it('lists no more than five falls and ten days', () => {
    const { drawdowns, worstDays } = single(ofDays(400));
    assert.deepEqual([drawdowns.length, worstDays.length], [5, 10]);
    const depths = drawdowns.map(({ depthPercent }) => depthPercent);
    assert.deepEqual(
      depths,
      [...depths].sort((a, b) => a - b),
    );
  });

  it('has no loss and no shape of a price that stands still', () => {
    for (const price of [1e-8, 0.3, 1e8]) {
      const still = flatCandles(100, price);
      still.time.forEach((_, i) => (still.time[i] = i * dayMs));
      const found = single(still);
      assert.deepEqual(
        [found.volatilityPercent, found.skewness, found.excessKurtosis, found.maxDrawdownPercent],
        [0, null, null, 0],
      );
      assert.deepEqual([found.drawdowns, found.worstDays], [[], []]);
      for (const { losses } of found.horizons)
        for (const { historical, parametric } of losses)
          for (const loss of historical ? [historical, parametric] : [parametric])
            assert.ok(Math.abs(loss.varPercent) + Math.abs(loss.cvarPercent) === 0);
    }
  });

  it('has no historical loss where the tail holds less than one return that does not overlap, and says so', () => {
    const [day, week, month] = single(ofDays(120)).horizons;
    assert.deepEqual(
      [day, week, month].map(({ losses }) => losses.map(({ historicalReason }) => historicalReason)),
      [
        [null, null],
        [
          'needs 20 returns over 7 days that do not overlap, found 17',
          'needs 100 returns over 7 days that do not overlap, found 17',
        ],
        [
          'needs 20 returns over 30 days that do not overlap, found 3',
          'needs 100 returns over 30 days that do not overlap, found 3',
        ],
      ],
    );
    assert.ok(month.losses.every(({ historical, parametric }) => !historical && parametric.varPercent > 0));
  });

  it('loses no more than all of a basket without debts, however wild it is', () => {
    const wild = ofDays(100);
    wild.close.forEach((_, i) => (wild.close[i] = 100 * Math.exp((i % 2 ? -1 : 1) * 0.2 - 0.01 * i)));
    const losses = single(wild).horizons.flatMap((each) => each.losses);
    for (const { parametric } of losses) {
      assert.ok(parametric.varPercent > 0 && parametric.varPercent < 100, `${parametric.varPercent}`);
      assert.ok(parametric.cvarPercent < 100);
    }
  });

  it('knows a wild month for one event: its losses make a wider interval than the same losses apart', () => {
    const widthOf = (isWild: (i: number) => boolean) => {
      const candles = ofDays(501);
      let price = 100;
      candles.close.forEach((_, i) => {
        const size = isWild(i) ? 0.08 : 0.005;
        candles.close[i] = price *= 1 + size * (((i * 7) % 11) / 5 - 1);
      });
      const { varLowPercent, varHighPercent } = single(candles).horizons[0].losses[0].historical!;
      return (varHighPercent ?? 100) - (varLowPercent ?? 0);
    };
    assert.ok(widthOf((i) => i >= 200 && i < 250) > 2 * widthOf((i) => i % 10 === 3));
  });

  it('refuses weights that make no basket', () => {
    const pairs = [pairOf('BTC', ofDays(100)), pairOf('ETH', ofDays(100, 2))];
    for (const [weights, asset] of [
      [{ BTC: 1, ETH: -0.5 }, 'ETH'],
      [{ BTC: NaN }, 'BTC'],
      [{ BTC: Infinity }, 'BTC'],
      [{ BTC: 1, SOL: 1 }, 'SOL'],
      [{ BTC: 0, ETH: 0 }, undefined],
      [{}, undefined],
    ] as [Record<string, number>, string | undefined][])
      assert.throws(() => readTailRisk(pairs, '1d', { weights, lookbackDays: 365 }), {
        code: 'invalid_input',
        details: { field: 'weights', ...(asset ? { asset } : {}) },
      });
  });

  it('refuses too few common days, and candles that are not days', () => {
    const refused = (candles: Candles, found: number) =>
      assert.throws(() => single(candles), { code: 'not_enough_history', details: { needed: 30, found } });
    refused(ofDays(30), 29);
    refused(ofDays(1), 0);
    refused(ofDays(0), 0);
    refused(
      dropCandles(ofDays(100), (i) => i % 2 === 1),
      0,
    );
    const apart = [pairOf('BTC', ofDays(100)), pairOf('ETH', sliceCandles(ofDays(300), 200, 300))];
    assert.throws(() => readTailRisk(apart, '1d', { weights: { BTC: 1, ETH: 1 }, lookbackDays: 365 }), {
      code: 'not_enough_history',
      details: { needed: 30, found: 0 },
    });
    assert.throws(() => readTailRisk(apart, '1h', { weights: { BTC: 1 }, lookbackDays: 365 }), {
      code: 'invalid_input',
      details: { field: 'interval', found: '1h' },
    });
  });

  it('leaves its input as it is', () => {
    const candles = ofDays(200);
    const before = copyOf(candles);
    single(candles);
    assert.deepEqual(candles, before);
  });
});

interface Reference {
  series: { series: string; metrics: Record<string, number>; drawdownPeak: string; drawdownTrough: string }[];
  group: {
    members: string[];
    returns: number;
    beta_vs_first: Record<string, number>;
    correlation: Record<string, Record<string, number>>;
  };
}

describeWithSharedData('readTailRisk on real candles', () => {
  const { series, group } = sharedJson('reference/risk.json') as Reference;
  const pairName = (text: string) => /(\w+_USDT)-1d/.exec(text)![1];
  const daysOf = (text: string) => sharedCandles(pairName(text), '1d');

  for (const { series: file, metrics, drawdownPeak, drawdownTrough } of series)
    it(`finds every figure of the reference, for ${pairName(file)}`, () => {
      const candles = daysOf(file);
      const found = single(candles);
      const [{ losses }] = found.horizons;
      const [at95, at99] = losses;
      const returns = candleReturns(candles.close);
      const own: Record<string, number | null> = {
        bars: found.returns + 1,
        meanDailyReturn: mean(returns),
        stdDaily: found.dailyVolatilityPercent / 100,
        volatilityAnnualPct: found.volatilityPercent,
        downsideDeviationDaily: found.downsideDeviationPercent / 100,
        var95HistPct: at95.historical!.varPercent,
        var99HistPct: at99.historical!.varPercent,
        cvar95HistPct: at95.historical!.cvarPercent,
        cvar99HistPct: at99.historical!.cvarPercent,
        // The answer is lognormal with a mean of 0; this is the normal one of the reference, from two other figures.
        var95NormalPct: 1.6448536269514722 * found.dailyVolatilityPercent - mean(returns) * 100,
        maxDrawdownPct: -found.maxDrawdownPercent,
        skewness: found.skewness,
        excessKurtosis: found.excessKurtosis,
        sharpe: sharpe(returns, 365),
        totalReturnPct: totalReturn(candles.close),
      };
      assert.deepEqual(Object.keys(own), Object.keys(metrics));
      for (const [name, value] of Object.entries(metrics)) near(own[name], value, name);
      const [{ peak, trough }] = found.drawdowns;
      assert.deepEqual([utcDay(peak), utcDay(trough)], [drawdownPeak, drawdownTrough]);
    });

  it('finds beta and correlation of the group', () => {
    const all = group.members.map(daysOf);
    const first = Math.max(...all.map(({ time }) => time[0]));
    const returns = all.map(({ time, close }) => candleReturns(close.subarray(time.indexOf(first))));
    group.members.forEach((name, n) => {
      assert.equal(returns[n].length, group.returns);
      const { slope } = linearRegression(returns[0], returns[n])!;
      near(slope, group.beta_vs_first[name], `beta of ${name}`);
      group.members.forEach((other, m) =>
        near(correlation(returns[n], returns[m]), group.correlation[name][other], `${name} ${other}`),
      );
    });
  });
});
