import assert from 'node:assert/strict';
import { compareStrategies, type CompareSettings } from '../../../compute/backtest/compare.js';
import { sliceCandles } from '../../../compute/model/candles.js';
import { AppError } from '../../../compute/model/errors.js';
import { strategyNames, strategyNamed } from '../../../compute/strategies/index.js';
import { paramsOf } from '../../../compute/model/indicator.js';
import { decidedBacktest } from '../../support/jobs/decided-backtest.js';
import { assertClose } from '../../support/numbers/close-to.js';
import { computeTargets } from '../../../compute/model/strategy.js';
import { normalCdf } from '../../../compute/metrics/normal.js';
import { candlesAt } from '../../support/candles/pairs.js';
import { runBacktest } from '../../../compute/backtest/engine.js';
import { demoCandles } from '../../support/candles/demo-candles.js';

const costs = { feeRate: 0.001, slippageRate: 0.0005 };
const pairs = (['BTC_USDT', 'SOL_USDT', 'PEPE_USDT'] as const).map((pair) => ({
  asset: pair.split('_')[0],
  tradeMarket: 'USDT',
  candles: demoCandles(pair, '1d'),
}));
const strategies = strategyNames.map((name) => ({ name, params: {} }));
const params: CompareSettings = { strategies, period: '1y', costs };

/** Bailey and Lopez de Prado's formula 2012, from powers of the returns themselves. */
function naiveProbabilisticSharpe(returns: readonly number[]): number {
  const n = returns.length;
  const average = returns.reduce((sum, rate) => sum + rate, 0) / n;
  const moment = (power: number) => returns.reduce((sum, rate) => sum + (rate - average) ** power, 0) / n;
  const ratio = average / Math.sqrt((moment(2) * n) / (n - 1));
  const [skewness, kurtosis] = [moment(3) / moment(2) ** 1.5, moment(4) / moment(2) ** 2];
  const square = 1 - skewness * ratio + ((kurtosis - 1) / 4) * ratio ** 2;
  return normalCdf((ratio * Math.sqrt(n - 1)) / Math.sqrt(square));
}

describe('a comparison of strategies', () => {
  it('has the figures of every backtest, ranked by Sharpe ratio', () => {
    const { runs, refused } = compareStrategies(pairs, '1d', params);
    assert.equal(runs.length + refused.length, 24);
    for (const run of runs) {
      const { candles } = pairs.find(({ asset }) => asset === run.asset)!;
      const input = { candles, interval: '1d', period: '1y', costs } as const;
      const all = paramsOf(strategyNamed(run.strategy).params, {});
      const report = decidedBacktest({ ...input, strategy: run.strategy, params: all });
      assert.deepEqual(run.params, all);
      assert.deepEqual(run.window, report.window);
      assert.equal(run.sharpe, report.sharpe);
      assert.equal(run.totalReturn, report.totalReturn);
      assertClose(run.excessReturn, report.totalReturn! - report.benchmark.totalReturn!, 'excess');
      const strategy = strategyNamed(run.strategy);
      const from = candles.time.indexOf(Date.parse(run.window.from));
      const { equity } = runBacktest(candles, computeTargets(strategy, candles, all), from, costs);
      const seen = Math.floor((equity.length - 1) * 0.7);
      assertClose(
        1 + run.outOfSampleReturn! / 100,
        equity.slice(seen + 1).reduce((growth, value, i) => growth * (value / equity[seen + i]), 1),
        'out of sample',
      );
    }
    const ratios = runs.map(({ sharpe }) => sharpe ?? -Infinity);
    assert.deepEqual(
      ratios,
      ratios.toSorted((left, right) => right - left),
    );
  });

  it('corrects for how many were tried: alone a run keeps its p-value', () => {
    const { runs } = compareStrategies(pairs, '1d', params);
    const [best] = runs;
    const alone = compareStrategies(
      pairs.filter(({ asset }) => asset === best.asset),
      '1d',
      { ...params, strategies: [{ name: best.strategy, params: {} }] },
    );
    assert.equal(alone.runs[0].pValue, best.pValue);
    assert.equal(alone.runs[0].adjustedPValue, best.pValue);
    assert.equal(alone.best!.luckiestSharpe, 0);
    assertClose(alone.best!.deflatedSharpe, 1 - best.pValue!, 'deflated of one');
    const judged = runs.filter(({ pValue }) => pValue !== null);
    assertClose(
      Math.min(...judged.map(({ adjustedPValue }) => adjustedPValue!)),
      Math.min(1, judged.length * Math.min(...judged.map(({ pValue }) => pValue!))),
      'smallest corrected',
    );
    for (const { pValue, adjustedPValue, adjustedExcessPValue, significant } of judged) {
      assert.ok(adjustedPValue! >= pValue!);
      assert.equal(significant, adjustedPValue! < 0.05 && (adjustedExcessPValue ?? 1) < 0.05);
    }
  });

  it('expects of 24 trials without skill over a year a ratio of about 2, however much strategies differ', () => {
    const [{ candles }] = pairs;
    const alike = ['A', 'B', 'C'].map((asset) => ({ asset, tradeMarket: 'USDT', candles }));
    const { best } = compareStrategies(alike, '1d', params);
    // The expected maximum of 24 standard normals is 1.948 by numerical integration; the formula gives 1.97.
    assert.ok(Math.abs(best!.luckiestSharpe - 1.97) < 0.02, String(best!.luckiestSharpe));
  });

  it('calls no run significant that never differs from buy and hold, however far the market has risen', () => {
    const rising = candlesAt(
      Array.from({ length: 500 }, (_, i) => 100 * Math.exp(0.01 * i + 0.01 * Math.sin(i))),
    );
    const [held] = compareStrategies([{ asset: 'UP', tradeMarket: 'USDT', candles: rising }], '1d', {
      ...params,
      strategies: [{ name: 'buy_and_hold', params: {} }],
    }).runs;
    assert.ok(held.adjustedPValue! < 1e-6);
    assert.deepEqual([held.excessPValue, held.adjustedExcessPValue, held.significant], [null, null, false]);
    assert.deepEqual(held.notes, [
      'profitFactor is null: no trade lost',
      'excessPValue and adjustedExcessPValue are null: the run hardly ever differs from buy and hold',
    ]);
  });

  it('tests the returns above buy and hold as a Sharpe ratio of their own', () => {
    const { runs } = compareStrategies([pairs[0]], '1d', params);
    const { candles } = pairs[0];
    for (const run of runs.filter(({ excessPValue }) => excessPValue !== null)) {
      const from = candles.time.indexOf(Date.parse(run.window.from));
      const equityOf = (name: (typeof strategyNames)[number]) =>
        runBacktest(
          candles,
          computeTargets(strategyNamed(name), candles, paramsOf(strategyNamed(name).params, {})),
          from,
          costs,
        ).equity;
      const [own, held] = [equityOf(run.strategy), equityOf('buy_and_hold')].map((equity) =>
        Array.from(equity.slice(1), (value, i) => value / equity[i] - 1),
      );
      const excess = own.map((rate, i) => rate - held[i]);
      assertClose(run.excessPValue, 1 - naiveProbabilisticSharpe(excess), run.strategy);
    }
  });

  it('tells combinations with too little history apart', () => {
    const young = { asset: 'NEW', tradeMarket: 'USDT', candles: sliceCandles(pairs[0].candles, 0, 40) };
    const { runs, refused } = compareStrategies([young, pairs[0]], '1d', {
      ...params,
      strategies: [
        { name: 'ema_cross', params: {} },
        { name: 'ema_cross', params: { fast: 3, slow: 10 } },
      ],
    });
    assert.deepEqual(refused, [
      {
        asset: 'NEW',
        strategy: 'ema_cross',
        code: 'not_enough_history',
        message: 'ema_cross needs 50 closed 1d candles, found 40',
      },
    ]);
    assert.equal(runs.length, 3);
    assert.match(runs.find(({ asset }) => asset === 'NEW')!.notes[0], /history is shorter than 1y/);
  });

  it('gives no claim where nothing was traded', () => {
    const { runs, best } = compareStrategies([pairs[0]], '1d', {
      ...params,
      strategies: [{ name: 'rsi_reversal', params: { oversold: 1 } }],
    });
    assert.deepEqual(
      [runs[0].pValue, runs[0].adjustedPValue, runs[0].significant, best],
      [null, null, false, null],
    );
  });

  it('refuses more than 24 combinations', () => {
    const many = [...strategies, ...strategies];
    assert.throws(
      () => compareStrategies(pairs, '1d', { ...params, strategies: many }),
      (error) =>
        error instanceof AppError &&
        error.code === 'invalid_input' &&
        /at most 24 .* found 48/.test(error.message),
    );
  });
});
