import assert from 'node:assert/strict';
import { figuresOf } from '../../../compute/backtest/report.js';
import { runBacktest } from '../../../compute/backtest/engine.js';
import { candlesPerYear, type Interval, type Period } from '../../../compute/model/interval.js';
import { paramsOf, type ParamSpec } from '../../../compute/model/indicator.js';
import { bollingerReversion } from '../../../compute/strategies/bollinger-reversion.js';
import { emaCross } from '../../../compute/strategies/ema-cross.js';
import { rsiReversal } from '../../../compute/strategies/rsi-reversal.js';
import { computeTargets, target, type Strategy } from '../../../compute/model/strategy.js';
import { decidedBacktest } from '../../support/jobs/decided-backtest.js';
import type { BacktestReport } from '../../../compute/backtest/backtest-task.js';
import { assertClose } from '../../support/numbers/close-to.js';
import { describeWithSharedData, sharedCandles, sharedJson } from '../../support/candles/shared-data.js';

const figureNames = [
  'totalReturn',
  'tradeCount',
  'winRate',
  'sharpe',
  'maxDrawdown',
  'profitFactor',
  'candles',
] as const;

type ReferenceRow = Pick<BacktestReport, (typeof figureNames)[number] | 'trades'>;

describeWithSharedData('trend_state backtests on real candles', () => {
  const rows = Object.entries(
    sharedJson('reference/trend-state-backtests.json') as Record<string, ReferenceRow>,
  );
  for (const [key, expected] of rows) {
    it(`equal the reference for ${key}, figures and trades`, () => {
      const [pair, interval, period] = key.split('-') as [string, Interval, Period];
      const actual = decidedBacktest({
        candles: sharedCandles(pair, interval),
        interval,
        period,
        strategy: 'trend_state',
        params: {},
        costs: { feeRate: 0.001, slippageRate: 0.0005 },
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

/** Strategies as the reference calls them; `crosses` where it waits for a cross and the strategy does not. */
const counterparts = [
  { name: 'ema_cross_20_50', strategy: emaCross, crosses: true },
  { name: 'rsi14_30_70', strategy: rsiReversal, crosses: false },
  { name: 'bbands_20_2_reversion', strategy: bollingerReversion, crosses: false },
] as const;

describeWithSharedData('simple strategies on real candles', () => {
  const { results } = sharedJson('reference/backtests.json') as CrossReference;
  for (const { name, strategy, crosses } of counterparts) {
    for (const { series, timeframe, metrics } of results.filter((each) => each.strategy === name)) {
      it(`${strategy.name} equals the reference on all of ${series.split('/').at(-1)}, at its costs`, () => {
        const pair = /(\w+_USDT)/.exec(series)![1];
        const candles = sharedCandles(pair, timeframe);
        const params = paramsOf(strategy.params as Record<string, ParamSpec>);
        const targets = computeTargets(strategy as Strategy<string>, candles, params);
        // They differ until the first candle on which the fast average is not above.
        if (crosses) targets.fill(target.flat, 0, targets.indexOf(target.flat, 49));
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
  }
});
