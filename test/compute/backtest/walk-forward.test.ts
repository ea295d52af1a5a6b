import assert from 'node:assert/strict';
import fc from 'fast-check';
import { combinationsOf, gridAround } from '../../../compute/backtest/parameter-grid.js';
import { walkStrategyForward, type WalkForwardSettings } from '../../../compute/backtest/walk-forward.js';
import { judgeWalkForward } from '../../../compute/backtest/walk-forward-verdict.js';
import { copyCandles, createCandles, sliceCandles, type Candles } from '../../../compute/model/candles.js';
import { AppError } from '../../../compute/model/errors.js';
import { emaCross } from '../../../compute/strategies/ema-cross.js';
import { strategyNamed, strategyNames } from '../../../compute/strategies/index.js';
import { computeTargets } from '../../../compute/model/strategy.js';
import { assertClose } from '../../support/numbers/close-to.js';
import { demoCandles } from '../../support/candles/demo-candles.js';
import { naiveBacktest } from '../../support/naive/naive-backtest.js';
import { randomCandles } from '../../support/candles/random-candles.js';

/** The Sharpe ratio of an equity curve as a textbook has it; null where returns don't vary. */
function naiveSharpe(equity: readonly number[], perYear: number): number | null {
  const returns = equity.slice(1).map((value, i) => (value - equity[i]) / equity[i]);
  const mean = returns.reduce((sum, value) => sum + value, 0) / returns.length;
  const variance = returns.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (returns.length - 1);
  return variance > 1e-30 ? (mean / Math.sqrt(variance)) * Math.sqrt(perYear) : null;
}

const costs = { feeRate: 0.001, slippageRate: 0.0005 };
const dayMs = 86_400_000;
const grid = { fast: [3, 5, 8, 20], slow: [10, 20] };
const settings: WalkForwardSettings = { strategy: 'ema_cross', grid, folds: 4, trainRatio: 0.7, costs };
const daily = (count: number, seed = 1) => randomCandles(count, { seed, stepMs: dayMs });

/** The Sharpe ratio of one stretch and the equity it leaves, by the naive engine. */
function trade(candles: Candles, params: Record<string, number>, from: number, to: number) {
  const targets = computeTargets(emaCross, candles, params as { fast: number; slow: number });
  const run = naiveBacktest(sliceCandles(candles, 0, to), targets.subarray(0, to), from, costs);
  return { ...run, sharpe: naiveSharpe(run.equity, 365) };
}

const indexOf = (candles: Candles, date: string) => candles.time.indexOf(Date.parse(date));

describe('walk-forward', () => {
  it('fits every fold on its training alone and scores the choice on its test, as done naively', () => {
    const candles = daily(500);
    const report = walkStrategyForward(candles, '1d', settings);
    const combinations = combinationsOf(strategyNamed('ema_cross'), grid);
    assert.deepEqual(
      combinations.map(({ fast, slow }) => [fast, slow]),
      [
        [3, 10],
        [3, 20],
        [5, 10],
        [5, 20],
        [8, 10],
        [8, 20],
      ],
    );
    assert.equal(report.combinations, 6);
    let carried = 10_000;
    for (const { params, inSample, outOfSample } of report.folds) {
      const train = indexOf(candles, inSample.from);
      const test = indexOf(candles, outOfSample.from);
      const ratios = combinations.map((each) => trade(candles, each, train, test).sharpe!);
      assert.deepEqual(params, combinations[ratios.indexOf(Math.max(...ratios))]);
      assertClose(inSample.sharpe, Math.max(...ratios), 'in sample');
      const { equity, sharpe, trades } = trade(candles, params, test, test + outOfSample.candles);
      assertClose(outOfSample.sharpe, sharpe, 'out of sample');
      assert.equal(outOfSample.tradeCount, trades.length);
      carried *= equity.at(-1)! / 10_000;
    }
    assertClose(report.outOfSample.totalReturn, (carried / 10_000 - 1) * 100, 'all tests');
    const trades = report.folds.reduce((sum, { outOfSample }) => sum + outOfSample.tradeCount, 0);
    assert.equal(report.outOfSample.tradeCount, trades);
  });

  it('lays tests one after the other to the last candle, each behind a training of the same length', () => {
    const law = fc.property(
      fc.record({
        count: fc.integer({ min: 300, max: 900 }),
        folds: fc.integer({ min: 2, max: 5 }),
        trainRatio: fc.constantFrom(0.5, 0.6, 0.75),
      }),
      ({ count, folds, trainRatio }) => {
        const candles = daily(count);
        const report = walkStrategyForward(candles, '1d', { ...settings, folds, trainRatio });
        assert.equal(report.folds.length, folds);
        const lengths = new Set(
          report.folds.map((fold) => `${fold.inSample.candles} ${fold.outOfSample.candles}`),
        );
        assert.equal(lengths.size, 1);
        const [{ inSample, outOfSample }] = report.folds;
        const ratio = inSample.candles / (inSample.candles + outOfSample.candles);
        assert.ok(ratio >= trainRatio - 1e-9 && ratio < trainRatio + 0.05, `ratio ${ratio}`);
        let at = report.outOfSample.from;
        for (const fold of report.folds) {
          assert.equal(fold.inSample.to, fold.outOfSample.from);
          assert.equal(fold.outOfSample.from, at);
          at = fold.outOfSample.to;
        }
        assert.equal(at, new Date(candles.time[count - 1] + dayMs).toISOString());
        assert.equal(report.outOfSample.candles, folds * outOfSample.candles);
      },
    );
    fc.assert(law, { numRuns: 25 });
  });

  it('chooses the same when everything after the training is different', () => {
    const candles = daily(600);
    const report = walkStrategyForward(candles, '1d', settings);
    for (const [n, { params, inSample, outOfSample }] of report.folds.entries()) {
      const split = indexOf(candles, outOfSample.from);
      const other = createCandles(600);
      copyCandles(candles, other, 0);
      copyCandles(sliceCandles(daily(600, 99), split, 600), other, split);
      const fold = walkStrategyForward(other, '1d', settings).folds[n];
      assert.deepEqual(fold.params, params);
      assert.deepEqual(fold.inSample, inSample);
      assert.notDeepEqual(fold.outOfSample, outOfSample);
    }
  });

  it('takes a grid around the defaults when none is given, for every strategy', () => {
    const candles = demoCandles('BTC_USDT', '1d');
    for (const name of strategyNames) {
      const report = walkStrategyForward(candles, '1d', { ...settings, strategy: name, grid: null });
      const expected = walkStrategyForward(candles, '1d', {
        ...settings,
        strategy: name,
        grid: gridAround(strategyNamed(name).params),
      });
      assert.deepEqual(report, expected);
      assert.ok(report.combinations >= 1);
    }
  });

  it('does the same again, bit for bit', () => {
    assert.deepEqual(
      walkStrategyForward(daily(400), '1d', settings),
      walkStrategyForward(daily(400), '1d', settings),
    );
  });

  it('says how many candles are missing, right to the candle', () => {
    const refused = (count: number) => {
      try {
        walkStrategyForward(daily(count), '1d', settings);
        return null;
      } catch (error) {
        return error as AppError;
      }
    };
    const error = refused(40)!;
    assert.equal(error.code, 'not_enough_history');
    const needed = error.details.needed as number;
    assert.equal(refused(needed - 1)?.code, 'not_enough_history');
    assert.equal(refused(needed), null);
    assert.match(error.message, /ema_cross in 4 folds needs \d+ closed 1d candles, found 40/);
  });

  it('refuses a grid that is not of the strategy', () => {
    const refusal = (bad: Record<string, number[]>) => ({ ...settings, grid: bad });
    const cases: [WalkForwardSettings, RegExp][] = [
      [refusal({ period: [3] }), /has no parameter "period"; it has fast, slow/],
      [refusal({ fast: [1] }), /"fast" must lie between 2 and 200 in steps of 1, found 1/],
      [refusal({ fast: [2.5] }), /found 2.5/],
      [refusal({ fast: [NaN] }), /found NaN/],
      [refusal({ fast: [] }), /names no value of "fast"/],
      [
        refusal({ fast: [60], slow: [50] }),
        /ema_cross: fast must be below slow, found no such combination in the grid/,
      ],
      [
        refusal({
          fast: Array.from({ length: 30 }, (_, n) => n + 2),
          slow: Array.from({ length: 20 }, (_, n) => n + 40),
        }),
        /at most 500 combinations can be tried, found 600/,
      ],
    ];
    for (const [params, message] of cases)
      assert.throws(
        () => walkStrategyForward(daily(500), '1d', params),
        (error) =>
          error instanceof AppError &&
          error.code === 'invalid_input' &&
          error.details.field === 'grid' &&
          message.test(error.message),
        String(message),
      );
  });
});

describe('the verdict of a walk-forward', () => {
  const fold = (trained: number | null, tested: number | null, totalReturn: number) => ({
    inSample: { sharpe: trained } as never,
    outOfSample: { sharpe: tested, totalReturn } as never,
  });
  const verdictOf = (
    folds: ReturnType<typeof fold>[],
    totalReturn: number,
    combinations = 10,
    joined: { benchmarkReturn?: number; sharpe?: { low: number | null; high: number | null } } = {},
  ) =>
    judgeWalkForward(
      folds,
      { totalReturn, benchmarkReturn: 1, sharpe: { low: 0.1, high: 1.9 }, ...joined },
      combinations,
    );

  it('goes by what is left of the Sharpe ratio, by tests with a gain, and by the gain of all', () => {
    assert.equal(verdictOf([fold(2, 1.6, 5), fold(1, 0.9, 3)], 8).verdict, 'robust');
    assert.equal(verdictOf([fold(2, 1.5, 5), fold(1, 0.7, 3)], 8).verdict, 'robust');
    assert.equal(verdictOf([fold(2, 1.3, 5), fold(1, 0.7, 3)], 8).verdict, 'moderate');
    assert.equal(verdictOf([fold(2, 4, 5), fold(1, -1, -3)], 2).verdict, 'moderate');
    assert.equal(verdictOf([fold(2, 0.5, 5), fold(1, 0.1, -3)], 2).verdict, 'weak');
    assert.equal(verdictOf([fold(2, -0.5, -5), fold(1, 0.1, 3)], -2).verdict, 'overfitted');
    assert.equal(verdictOf([fold(2, -0.5, -5), fold(1, 0.1, 3)], -2, 1).verdict, 'weak');
    assert.equal(verdictOf([fold(-1, -0.5, -5), fold(-1, 0.1, 3)], -2).verdict, 'weak');
  });

  it('is neither robust nor moderate without beating buy and hold, or where the Sharpe ratio may be 0', () => {
    const folds = [fold(2, 1.6, 5), fold(1, 0.9, 3)];
    const joined = (benchmarkReturn: number, low: number | null) =>
      verdictOf(folds, 8, 10, { benchmarkReturn, sharpe: { low, high: 2 } }).verdict;
    assert.deepEqual(
      [
        joined(7.9, 0.01),
        joined(8, 0.01),
        joined(20, 0.01),
        joined(7.9, 0),
        joined(7.9, -0.1),
        joined(7.9, null),
      ],
      ['robust', 'weak', 'weak', 'weak', 'weak', 'weak'],
    );
  });

  it('gives the interval of the Sharpe ratio over all tests, that of Mertens', () => {
    const report = walkStrategyForward(daily(700), '1d', settings);
    const { outOfSample, sharpeLow, sharpeHigh } = report;
    assertClose((sharpeLow! + sharpeHigh!) / 2, outOfSample.sharpe, 'the middle');
    // Near a ratio of 0 the error of a year's ratio is sqrt(365 / (n - 1)) whatever the distribution.
    const error = (sharpeHigh! - sharpeLow!) / 2 / 1.959963984540054;
    assert.ok(Math.abs(error / Math.sqrt(365 / (outOfSample.candles - 2)) - 1) < 0.05, String(error));
  });

  it('gives its numbers, and none where training found nothing', () => {
    const judged = verdictOf([fold(2, 1, 5), fold(null, 0.5, -3)], 2);
    assert.deepEqual(
      [judged.degradation, judged.profitableTests, judged.reason],
      [
        0.75,
        50,
        'Sharpe ratio 1.00 in training and 0.75 in the tests; 1 of 2 tests ended with a gain. All tests together return 2.00 %, buy and hold 1.00 %; the 95 % interval of their Sharpe ratio is 0.10 to 1.90.',
      ],
    );
    assert.equal(verdictOf([fold(null, 1, 5)], 5).degradation, null);
  });
});
