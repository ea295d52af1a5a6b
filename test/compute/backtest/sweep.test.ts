import assert from 'node:assert/strict';
import { combinationAt } from '../../../compute/backtest/parameter-grid.js';
import { sweepChunk, type SweepParams } from '../../../compute/backtest/sweep.js';
import { sliceCandles } from '../../../compute/model/candles.js';
import { AppError } from '../../../compute/model/errors.js';
import { decidedBacktest } from '../../support/jobs/decided-backtest.js';
import { demoCandles } from '../../support/candles/demo-candles.js';

const costs = { feeRate: 0.001, slippageRate: 0.0005 };
const candles = demoCandles('SOL_USDT', '4h');
const grid = { fast: [5, 12, 30], slow: [8, 20, 30, 50] };
const params: SweepParams = { strategy: 'ema_cross', grid, period: '6M', costs, rankBy: 'sharpe', keep: 4 };
const chunk = (range: { from: number; to: number }, changed: Partial<SweepParams> = {}) =>
  sweepChunk(candles, '4h', { ...params, ...changed }, range);

describe('a parameter sweep', () => {
  it('gives each combination the figures of its backtest', () => {
    const { values, best, skipped } = chunk({ from: 0, to: 12 }, { keep: 12 });
    const figures = values.map((_, index) => {
      const combination = combinationAt(grid, index);
      if (combination.fast >= combination.slow) return null;
      const input = { candles, interval: '4h', period: '6M', costs } as const;
      return decidedBacktest({ ...input, strategy: 'ema_cross', params: combination });
    });
    assert.equal(skipped, 4);
    assert.deepEqual(
      values,
      figures.map((each) => each?.sharpe ?? null),
    );
    assert.equal(best.length, 8);
    for (const { index, params: combination, deflatedSharpe, ...row } of best) {
      assert.ok(deflatedSharpe! > 0 && deflatedSharpe! < 1);
      assert.deepEqual(combination, combinationAt(grid, index));
      for (const [name, value] of Object.entries(row))
        assert.equal(value, figures[index]![name as keyof typeof row], name);
    }
  });

  it('keeps the best, best first, by the measure that is asked for', () => {
    for (const rankBy of ['sharpe', 'totalReturn', 'maxDrawdown'] as const) {
      const { best, values } = chunk({ from: 0, to: 12 }, { rankBy });
      const ranked = values.filter((value) => value !== null).toSorted((left, right) => right - left);
      assert.deepEqual(
        best.map((row) => row[rankBy]),
        ranked.slice(0, 4),
      );
    }
  });

  it('is the same in chunks as in one', () => {
    const whole = chunk({ from: 0, to: 12 }, { keep: 12 });
    const parts = [chunk({ from: 0, to: 5 }, { keep: 12 }), chunk({ from: 5, to: 12 }, { keep: 12 })];
    assert.deepEqual(
      parts.flatMap(({ values }) => values),
      whole.values,
    );
    const rows = parts.flatMap(({ best }) => best).toSorted((left, right) => left.index - right.index);
    assert.deepEqual(
      rows,
      whole.best.toSorted((left, right) => left.index - right.index),
    );
  });

  it('puts the one that comes first in the grid before its equals', () => {
    // An RSI below 1 is never met: nothing is traded, and every return is 0.
    const { best } = chunk(
      { from: 0, to: 3 },
      {
        strategy: 'rsi_reversal',
        grid: { oversold: [1], overbought: [97, 98, 99] },
        rankBy: 'totalReturn',
      },
    );
    assert.deepEqual(
      best.map(({ index, totalReturn }) => [index, totalReturn]),
      [
        [0, 0],
        [1, 0],
        [2, 0],
      ],
    );
  });

  it('starts its window where the slowest combination is ready', () => {
    const short = sliceCandles(candles, 0, 300);
    const asked = {
      ...params,
      grid: { fast: [5], slow: [10, 200] },
      rankBy: 'totalReturn',
      keep: 2,
    } as const;
    const { best } = sweepChunk(short, '4h', asked, { from: 0, to: 2 });
    const alone = sweepChunk(short, '4h', { ...asked, grid: { fast: [5], slow: [10] } }, { from: 0, to: 1 });
    assert.equal(best.length, 2);
    assert.notEqual(best.find(({ index }) => index === 0)!.exposure, alone.best[0].exposure);
  });

  it('refuses too little history, and grids that are not of the strategy', () => {
    const refuses = (changed: Partial<SweepParams>, code: string) =>
      assert.throws(
        () => chunk({ from: 0, to: 1 }, changed),
        (error) => error instanceof AppError && error.code === code,
      );
    refuses({ grid: { fast: [0] } }, 'invalid_input');
    refuses({ grid: { nothing: [1] } }, 'invalid_input');
    const few = sliceCandles(candles, 0, 40);
    assert.throws(
      () => sweepChunk(few, '4h', params, { from: 0, to: 1 }),
      (error) =>
        error instanceof AppError && error.code === 'not_enough_history' && error.details.needed === 50,
    );
  });
});
