import { runBacktest, initialEquity, type Costs } from '../backtest/engine.js';
import { requireHistory } from '../backtest/require-history.js';
import { checkLookAhead, passedLookAhead, type LookAheadCheck } from '../backtest/look-ahead.js';
import {
  benchmarkOf,
  figuresOf,
  noteNulls,
  reportEquity,
  reportTrades,
  type Benchmark,
  type Figures,
  type ReportedTrade,
} from '../backtest/report.js';
import type { Point } from '../backtest/downsample.js';
import { datesOf, windowOf } from '../backtest/window.js';
import type { Candles } from '../model/candles.js';
import { candlesPerYear, type Interval, type Period } from '../model/interval.js';
import { ignoreProgress, reportPart } from '../model/progress.js';
import { strategyNamed, type StrategyName } from '../strategies/index.js';
import { buyAndHold } from '../strategies/buy-and-hold.js';
import { computeTargets } from '../model/strategy.js';
import { defineTask } from '../task.js';

export interface BacktestInput {
  /** All closed candles of the series; decisions rest on the whole of it, the window is its end. */
  candles: Candles;
  interval: Interval;
  period: Period;
  strategy: StrategyName;
  params: Record<string, number>;
  costs: Costs;
  /** The decisions of the strategy, where they have been made before. */
  targets?: Int8Array;
  /** Seed of the look-ahead check; null when the decisions have passed it before. */
  lookAheadSeed: number | null;
  /** Names the inputs of the report; repeated in the output. */
  id?: string;
}

export interface BacktestOutput extends Figures {
  trades: ReportedTrade[];
  benchmark: Benchmark;
  /** Points in quote units against time in seconds, UTC. */
  equity: Point[];
  candles: number;
  /** Open time of the first candle and close time of the last, ISO 8601. */
  window: { from: string; to: string };
  assumptions: Costs & { initialEquity: number; fill: string; riskFreeRate: number; candlesPerYear: number };
  lookAheadCheck: LookAheadCheck;
  notes: string[];
  id?: string;
}

/** Trades a strategy over the last 3, 6 or 12 months of a series. Throws `not_enough_history`, `look_ahead`. */
export const backtest = defineTask({
  name: 'backtest',
  phases: ['decide', 'check', 'trade'],
  run(input: BacktestInput, scratch, onProgress = ignoreProgress): BacktestOutput {
    const { candles, interval, period, costs, params } = input;
    const { time } = candles;
    const strategy = strategyNamed(input.strategy);
    const ready = strategy.ready(params);
    requireHistory(strategy, params, time.length, interval);
    const window = windowOf(time, interval, period, ready);
    const { from } = window;
    const perYear = candlesPerYear(interval);

    if (!input.targets) onProgress('decide', 0.01);
    const targets = input.targets ?? computeTargets(strategy, candles, params, scratch);
    const lookAheadCheck =
      input.lookAheadSeed === null
        ? passedLookAhead(time.length, ready)
        : checkLookAhead(
            strategy,
            candles,
            params,
            targets,
            input.lookAheadSeed,
            scratch,
            reportPart(onProgress, 0.1, 0.9),
          );
    onProgress('trade', 0.9);
    const run = runBacktest(candles, targets, from, costs, scratch);
    const figures = figuresOf(run, perYear, scratch);
    const held = runBacktest(candles, computeTargets(buyAndHold, candles, {}), from, costs, scratch);
    return {
      ...figures,
      trades: reportTrades(run.trades, time),
      benchmark: benchmarkOf(held, perYear, scratch),
      equity: reportEquity(time.subarray(from), run.equity),
      candles: run.equity.length,
      window: datesOf(window),
      assumptions: {
        ...costs,
        initialEquity,
        fill: 'open of the next candle',
        riskFreeRate: 0,
        candlesPerYear: perYear,
      },
      lookAheadCheck,
      notes: [...(window.short === null ? [] : [window.short]), ...noteNulls(figures)],
      ...(input.id === undefined ? {} : { id: input.id }),
    };
  },
});
