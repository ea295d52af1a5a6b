import { computeIndicator } from '../../compute/model/indicator.js';
import type { Interval, Period } from '../../compute/model/interval.js';
import { decidedBacktest } from '../support/jobs/decided-backtest.js';
import type { BacktestReport } from '../../compute/backtest/backtest-task.js';
import { indicatorByName } from '../support/candles/indicators-by-name.js';
import { hasSharedData, sharedCandles, sharedJson } from '../support/candles/shared-data.js';
import { readTalibReference, talibColumns, talibSeries } from '../support/candles/talib-reference.js';
import { printTable } from './measure.js';

/** How far apart two numbers are, as a share of the larger. */
const apart = (left: number, right: number) =>
  left === right ? 0 : Math.abs(left - right) / Math.max(Math.abs(left), Math.abs(right));

const figureNames = [
  'totalReturn',
  'tradeCount',
  'winRate',
  'sharpe',
  'maxDrawdown',
  'profitFactor',
] as const;

type Figures = Pick<BacktestReport, (typeof figureNames)[number]>;

/** How far indicators and backtests lie from the reference values beside the checkout: the largest relative difference. */
export function benchReference(): void {
  if (!hasSharedData) return console.log('reference: needs ../shared/data');
  printIndicators();
  printBacktests();
}

function printIndicators(): void {
  const references = talibSeries.map((series) => readTalibReference(series));
  const rows = [['', ...talibSeries, 'values']];
  for (const [name, [indicator, output, params, floor = 0]] of Object.entries(talibColumns)) {
    let values = 0;
    const largest = references.map(({ candles, reference }) => {
      const actual = computeIndicator(indicatorByName(indicator), candles, params)[output];
      return reference.get(name)!.reduce<number>((most, expected, i) => {
        if (expected === null) return most;
        values++;
        return Math.abs(actual[i] - expected) <= floor ? most : Math.max(most, apart(actual[i], expected));
      }, 0);
    });
    rows.push([name, ...largest.map((value) => value.toExponential(1)), String(values)]);
  }
  printTable('indicators against TA-Lib 0.8.2, largest relative difference (1e-9 is asked for)', rows);
}

function printBacktests(): void {
  const rows = [['', ...figureNames, 'trades']];
  const reference = sharedJson('reference/trend-state-backtests.json') as Record<string, Figures>;
  for (const [key, expected] of Object.entries(reference)) {
    const [pair, interval, period] = key.split('-') as [string, Interval, Period];
    const costs = { feeRate: 0.001, slippageRate: 0.0005 };
    const candles = sharedCandles(pair, interval);
    const input = { candles, interval, period, params: {}, costs } as const;
    const actual = decidedBacktest({ ...input, strategy: 'trend_state' });
    const differences = figureNames.map((name) =>
      actual[name] === null || expected[name] === null
        ? String(actual[name] === expected[name])
        : apart(actual[name], expected[name]).toExponential(1),
    );
    rows.push([key, ...differences, String(actual.tradeCount)]);
  }
  printTable('trend_state backtests against the reference, relative difference', rows);
}
