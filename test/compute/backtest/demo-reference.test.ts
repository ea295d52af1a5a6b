import assert from 'node:assert/strict';
import { intervalMs, periods } from '../../../compute/model/interval.js';
import { paramsOf } from '../../../compute/model/indicator.js';
import { strategyNamed, type StrategyName } from '../../../compute/strategies/index.js';
import { decidedBacktest } from '../../support/jobs/decided-backtest.js';
import type { BacktestReport } from '../../../compute/backtest/backtest-task.js';
import { assertClose } from '../../support/numbers/close-to.js';
import { demoCandles, demoSeries } from '../../support/candles/demo-candles.js';
import { readDemoReference, type ReferenceBacktest } from '../../support/candles/demo-reference.js';

const names: StrategyName[] = ['trend_state', 'ema_cross', 'buy_and_hold'];

const figures = [
  'totalReturn',
  'tradeCount',
  'winRate',
  'sharpe',
  'sortino',
  'maxDrawdown',
  'profitFactor',
  'exposure',
  'calmar',
  'expectancy',
  'candles',
] as const;

describe('backtests on demo candles', () => {
  const reference = readDemoReference();
  for (const { pair, interval } of demoSeries) {
    for (const strategy of names) {
      it(`of ${strategy} equal the reference on ${interval} candles of ${pair}, figures and trades`, () => {
        for (const period of periods) {
          const actual = decidedBacktest({
            candles: demoCandles(pair, interval),
            interval,
            period,
            strategy,
            params: paramsOf(strategyNamed(strategy).params),
            costs: { feeRate: 0.001, slippageRate: 0.0005 },
          });
          const expected = reference[`${pair}-${interval}`].backtests[`${period}-${strategy}`];
          for (const name of figures) assertClose(actual[name], expected[name], `${period} ${name}`);
          assertClose(actual.benchmark.totalReturn, expected.benchmark.totalReturn, `${period} benchmark`);
          assert.deepEqual(actual.window, {
            from: new Date(expected.window.from).toISOString(),
            to: new Date(expected.window.to + intervalMs(interval)).toISOString(),
          });
          assertTrades(actual.trades, expected.trades);
        }
      });
    }
  }
});

function assertTrades(actual: BacktestReport['trades'], expected: ReferenceBacktest['trades']): void {
  const facts = (trade: ReferenceBacktest['trades'][number]) => [
    trade.entryDate,
    trade.exitDate,
    trade.exitReason,
  ];
  assert.deepEqual(actual.map(facts), expected.map(facts));
  actual.forEach((trade, n) => {
    for (const name of ['entryPrice', 'exitPrice', 'return'] as const)
      assertClose(trade[name], expected[n][name], `${name} of trade ${n}`);
  });
}
