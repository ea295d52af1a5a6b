import assert from 'node:assert/strict';
import { figuresOf } from '../../../compute/backtest/report.js';
import { runBacktest } from '../../../compute/backtest/engine.js';
import { candlesPerYear, type Interval, type Period } from '../../../compute/model/interval.js';
import { emaCross } from '../../../compute/strategies/ema-cross.js';
import { computeTargets, target } from '../../../compute/strategy.js';
import { backtest, type BacktestOutput } from '../../../compute/tasks/backtest.js';
import { assertClose } from '../../support/close-to.js';
import { describeWithSharedData, sharedCandles, sharedJson } from '../../support/shared-data.js';

const figureNames = [
  'totalReturn',
  'tradeCount',
  'winRate',
  'sharpe',
  'maxDrawdown',
  'profitFactor',
  'candles',
] as const;

type ReferenceRow = Pick<BacktestOutput, (typeof figureNames)[number] | 'trades'>;

describeWithSharedData('trend_state backtests on real candles', () => {
  const rows = Object.entries(
    sharedJson('reference/trend-state-backtests.json') as Record<string, ReferenceRow>,
  );
  for (const [key, expected] of rows) {
    it(`equal the reference for ${key}, figures and trades`, () => {
      const [pair, interval, period] = key.split('-') as [string, Interval, Period];
      const actual = backtest.run({
        candles: sharedCandles(pair, interval),
        interval,
        period,
        strategy: 'trend_state',
        params: {},
        costs: { feeRate: 0.001, slippageRate: 0.0005 },
        lookAheadSeed: null,
      });
      for (const name of figureNames) assertClose(actual[name], expected[name], name);
      assert.equal(actual.trades.length, actual.tradeCount);
      // Where there are many the reference gives the first five and the last five.
      const listed = expected.trades.length;
      const trades =
        listed < actual.tradeCount
          ? [...actual.trades.slice(0, 5), ...actual.trades.slice(-5)]
          : actual.trades;
      assert.equal(trades.length, listed);
      trades.forEach((trade, n) => {
        const { entryPrice, exitPrice, entryDate, exitDate } = expected.trades[n];
        assert.deepEqual([trade.entryDate, trade.exitDate], [entryDate, exitDate]);
        assertClose(trade.entryPrice, entryPrice, 'entryPrice');
        assertClose(trade.exitPrice, exitPrice, 'exitPrice');
        assertClose(trade.return, expected.trades[n].return, 'return');
      });
    });
  }
});

interface CrossReference {
  results: {
    series: string;
    timeframe: Interval;
    strategy: string;
    metrics: Record<string, number>;
  }[];
}

describeWithSharedData('ema_cross on real candles', () => {
  const { results } = sharedJson('reference/backtests.json') as CrossReference;
  for (const { series, timeframe, metrics } of results.filter(
    ({ strategy }) => strategy === 'ema_cross_20_50',
  )) {
    it(`equals the reference on ${series.split('/').at(-1)}, over all of it, at its costs`, () => {
      const pair = /(\w+_USDT)/.exec(series)![1];
      const candles = sharedCandles(pair, timeframe);
      const targets = computeTargets(emaCross, candles, { fast: 20, slow: 50 });
      // The reference buys on a cross, the strategy while fast > slow: they differ until the first time it is not.
      targets.fill(target.flat, 0, targets.indexOf(target.flat, 49));
      const run = runBacktest(candles, targets, 0, { feeRate: 0.001, slippageRate: 0 });
      const figures = figuresOf(run, candlesPerYear(timeframe));
      assertClose(figures.tradeCount, metrics.tradeCount, 'tradeCount');
      assertClose(figures.totalReturn, metrics.totalReturnPct, 'totalReturn');
      assertClose(figures.winRate, metrics.winRatePct, 'winRate');
      assertClose(figures.profitFactor, metrics.profitFactor, 'profitFactor');
      assertClose(figures.sharpe, metrics.sharpe, 'sharpe');
      assertClose(figures.sortino, metrics.sortino, 'sortino');
      assertClose(figures.maxDrawdown, -metrics.maxDrawdownPct, 'maxDrawdown');
      assertClose(figures.calmar, metrics.calmar, 'calmar');
      assertClose(figures.exposure, metrics.exposurePct, 'exposure');
    });
  }
});
