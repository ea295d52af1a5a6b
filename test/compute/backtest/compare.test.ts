import assert from 'node:assert/strict';
import { compareStrategies, type CompareSettings } from '../../../compute/backtest/compare.js';
import { sliceCandles } from '../../../compute/model/candles.js';
import { AppError } from '../../../compute/model/errors.js';
import { strategyNames, strategyNamed } from '../../../compute/strategies/index.js';
import { paramsOf } from '../../../compute/model/indicator.js';
import { decidedBacktest } from '../../support/jobs/decided-backtest.js';
import { assertClose } from '../../support/numbers/close-to.js';
import { demoCandles } from '../../support/candles/demo-candles.js';

const costs = { feeRate: 0.001, slippageRate: 0.0005 };
const pairs = (['BTC_USDT', 'SOL_USDT', 'PEPE_USDT'] as const).map((pair) => ({
  asset: pair.split('_')[0],
  tradeMarket: 'USDT',
  candles: demoCandles(pair, '1d'),
}));
const strategies = strategyNames.map((name) => ({ name, params: {} }));
const params: CompareSettings = { strategies, period: '1y', costs };

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
    for (const { pValue, adjustedPValue, significant } of judged) {
      assert.ok(adjustedPValue! >= pValue!);
      assert.equal(significant, adjustedPValue! < 0.05);
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
