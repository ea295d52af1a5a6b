import type { Candles } from '../model/candles.js';
import { field, type Value } from '../model/field.js';
import { candlesPerYear, type Interval, type Period } from '../model/interval.js';
import { ignoreProgress } from '../model/progress.js';
import { strategyNamed, type StrategyName } from '../strategies/index.js';
import { defineTask } from '../task.js';
import { buyAndKeep, initialEquity, runBacktest, type Costs } from './engine.js';
import { passedLookAhead } from './look-ahead.js';
import {
  benchmarkFields,
  benchmarkOf,
  equityPoint,
  figureFields,
  figuresOf,
  monthField,
  mostEquityPoints,
  noteBenchmark,
  noteNulls,
  reportedTrade,
  reportEquity,
  reportMonths,
  reportTrades,
} from './report.js';
import { requireHistory } from './require-history.js';
import { feeFields, fillRule, givenFee } from './trading-costs.js';
import { windowFields } from './trading-fields.js';
import { datesOf, windowOf } from './window.js';

export interface BacktestTaskInput {
  /** All closed candles of the series; the window is at their end. */
  candles: Candles;
  interval: Interval;
  period: Period;
  strategy: StrategyName;
  params: Record<string, number>;
  costs: Costs;
  /** Where the fee comes from; by default the caller gave it. */
  feeReason?: string;
  /** The decisions of the strategy on every candle, which have passed the look-ahead check. */
  targets: Int8Array;
  /** Names the inputs of the report; repeated in the output. */
  id?: string;
}

export const backtestReport = field.object('the report of a backtest', {
  ...figureFields,
  trades: field.list('the trades, the oldest first', reportedTrade),
  benchmark: field.object('bought at the start and held, with the same costs', benchmarkFields),
  equity: field.list('what the account was worth, the oldest first', equityPoint, { max: mostEquityPoints }),
  months: field.list('returns by calendar month, the oldest first', monthField),
  candles: field.count('candles of the window'),
  window: field.object('the time that was traded', windowFields),
  assumptions: field.object('what the figures rest on', {
    ...feeFields,
    slippagePercent: field.number('slippage of each side', { unit: 'percent' }),
    initialEquity: field.number('worth of the account at the start', { unit: 'quote' }),
    fill: field.text('at which price orders fill'),
    riskFreePercent: field.number('annual risk-free rate', { unit: 'percent' }),
    candlesPerYear: field.number('candles of a year, by which figures are annualised'),
  }),
  lookAheadCheck: field.object('whether a decision knew of what came after it', {
    candles: field.count('decisions recomputed from data that end at their candle'),
    differences: field.count('decisions that differ: always 0, else there is no report'),
  }),
  notes: field.list('what to know about the figures', field.text('a sentence')),
});

export type BacktestReport = Value<typeof backtestReport>;

/** Trades the decisions of a strategy over the last 3, 6 or 12 months of a series. Throws `not_enough_history`. */
export const backtestTask = defineTask({
  name: 'backtest',
  isAnswer: true,
  phases: ['trade'],
  run(input: BacktestTaskInput, scratch, onProgress = ignoreProgress): BacktestReport & { id?: string } {
    const { candles, interval, period, costs, params, targets, feeReason = givenFee } = input;
    const { time } = candles;
    const strategy = strategyNamed(input.strategy);
    const ready = strategy.ready(params);
    requireHistory(strategy, params, time.length, interval);
    const window = windowOf(time, interval, period, ready);
    const { from } = window;
    const perYear = candlesPerYear(interval);
    onProgress('trade', 0);
    const run = runBacktest(candles, targets, from, costs, scratch);
    const figures = figuresOf(run, perYear, scratch);
    onProgress('trade', 0.5);
    const held = buyAndKeep(candles, from, costs, scratch);
    const benchmark = benchmarkOf(held, perYear, scratch);
    const curves = { time: time.subarray(from), equity: run.equity, benchmark: held.equity };
    return {
      ...figures,
      trades: reportTrades(run.trades, time),
      benchmark,
      equity: reportEquity(curves),
      months: reportMonths(curves, initialEquity),
      candles: run.equity.length,
      window: datesOf(window),
      assumptions: {
        feePercent: inPercent(costs.feeRate),
        feeReason,
        slippagePercent: inPercent(costs.slippageRate),
        initialEquity,
        fill: fillRule,
        riskFreePercent: 0,
        candlesPerYear: perYear,
      },
      lookAheadCheck: passedLookAhead(time.length, ready),
      notes: [
        ...(window.short === null ? [] : [window.short]),
        ...noteNulls(figures),
        ...noteBenchmark(benchmark),
      ],
      ...(input.id === undefined ? {} : { id: input.id }),
    };
  },
});

/** A fraction in percent, to 12 digits: 0.0007 x 100 is 0.06999999999999999 in doubles. */
const inPercent = (rate: number): number => Number((rate * 100).toPrecision(12));
