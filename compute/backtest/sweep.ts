import { defineTask, type SeriesQuestion } from '../task.js';
import type { Candles } from '../model/candles.js';
import { field, type Value } from '../model/field.js';
import { luckiestSharpe, skilllessDeviation } from '../metrics/luckiest-sharpe.js';
import { probabilisticSharpe } from '../metrics/sharpe-error.js';
import { candleReturns } from '../metrics/returns.js';
import { candlesPerYear, type Interval, type Period } from '../model/interval.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import { ignoreProgress, type OnProgress } from '../model/progress.js';
import { strategyNamed, type StrategyName } from '../strategies/index.js';
import type { Strategy } from '../model/strategy.js';
import { runBacktest, type Costs } from './engine.js';
import { combinationAt, completeGrid, gridSize, type ParameterGrid } from './parameter-grid.js';
import { figureFields, figuresOf, noteNulls, type MeasuredRun } from './report.js';
import { requireHistory } from './require-history.js';
import { costFields } from './trading-costs.js';
import { periodField, strategyField, strategyParamSpecs } from './trading-fields.js';
import { windowOf } from './window.js';

/** Figures that combinations are ranked by: the largest first. A drawdown is 0 or below, so the largest is the mildest. */
export const sweepMeasures = [
  'sharpe',
  'totalReturn',
  'maxDrawdown',
  'maxDrawdownIntrabarPercent',
  'profitFactor',
  'calmar',
  'sortino',
] as const;

export type SweepMeasure = (typeof sweepMeasures)[number];

/** The most combinations of one sweep. */
export const mostSwept = 10_000;

/** The parameters that a sweep takes from its caller. */
export const sweepParams = {
  strategy: strategyField,
  grid: field.paramGrid(
    'values of each parameter to try, 10,000 combinations at most; a parameter that is left out keeps its default',
    'strategy',
    strategyParamSpecs,
    { default: {}, example: {} },
  ),
  period: periodField,
  ...costFields,
  rankBy: field.choice('figure to rank combinations by: the largest first', sweepMeasures, {
    default: 'sharpe',
  }),
  keep: field.integer('combinations to report with all figures: the best ones', {
    min: 1,
    max: 200,
    default: 20,
  }),
};

export interface SweepParams {
  strategy: StrategyName;
  grid: ParameterGrid;
  period: Period;
  costs: Costs;
  rankBy: SweepMeasure;
  /** How many of the best are reported with all figures. */
  keep: number;
}

/** Combinations `from` up to, not including, `to` of the grid. */
export interface SweepRange {
  from: number;
  to: number;
}

export const sweepRow = field.object('a combination that was tried', {
  index: field.count('place in the grid, from 0'),
  params: field.record('parameters by name', field.number('value')),
  ...figureFields,
  deflatedSharpe: field.nullable(
    field.number(
      'probability, 0 to 1, that its true Sharpe ratio is above the luckiest: the deflated Sharpe ratio; null without a Sharpe ratio',
    ),
  ),
});

export type SweepRow = Value<typeof sweepRow>;

export const sweepReport = field.object('the combinations of a grid, backtested and ranked', {
  grid: field.record(
    'values of each parameter, defaults included; combination n takes the n-th of them, the last parameter changes fastest',
    field.list('the values', field.number('value')),
  ),
  combinations: field.count('combinations of the grid'),
  skipped: field.count('combinations that the strategy does not allow'),
  values: field.list(
    'the figure that ranks, of each combination in the order of the grid; null where it has no meaning or the combination was skipped',
    field.nullable(field.number('value')),
  ),
  best: field.list('the best combinations, the best first', sweepRow),
  luckiestSharpe: field.number(
    'annualised Sharpe ratio that the best of so many combinations without skill is expected to reach; an upper bound, since combinations resemble each other (Bailey and Lopez de Prado, 2014)',
  ),
  notes: field.list('why figures of the rows are null', field.text('a sentence')),
});

/** Why figures of the rows are null, a sentence each. */
export const noteSweep = (best: readonly SweepRow[]): string[] => {
  const said = new Map<string, number>();
  for (const row of best)
    for (const note of [
      ...noteNulls(row),
      ...(row.deflatedSharpe === null ? ['deflatedSharpe is null: there is no Sharpe ratio to deflate'] : []),
    ])
      said.set(note, (said.get(note) ?? 0) + 1);
  return [...said].map(([note, rows]) => `${note} (${rows} of ${best.length} rows)`);
};

export type SweepReport = Value<typeof sweepReport>;

export interface SweepChunk extends SweepRange {
  /** The figure that ranks, of each combination of the chunk; null where it has no meaning or the combination is skipped. */
  values: (number | null)[];
  /** Combinations that the strategy does not allow. */
  skipped: number;
  /** The best of the chunk, best first. */
  best: SweepRow[];
  /** Of the whole grid, the same in every chunk. */
  luckiestSharpe: number;
}

/**
 * Backtests every combination of the chunk on the same window. The window depends on the grid and not on the chunk, so
 * chunks can be computed on any node and merged. Throws `not_enough_history` with fewer candles than the slowest
 * combination needs, `invalid_input` for the grid.
 */
export function sweepChunk(
  candles: Candles,
  interval: Interval,
  params: SweepParams,
  { from, to }: SweepRange,
  scratch = new ScratchBuffers(),
  onProgress: OnProgress = ignoreProgress,
): SweepChunk {
  const strategy = strategyNamed(params.strategy);
  const { costs, rankBy, keep } = params;
  const grid = completeGrid(strategy, params.grid, mostSwept);
  const { slowest, allowed } = surveyGrid(strategy, grid);
  requireHistory(strategy, slowest, candles.time.length, interval);
  const window = windowOf(candles.time, interval, params.period, strategy.ready(slowest));
  const targets = new Int8Array(candles.time.length);
  const trade = (combination: Record<string, number>, scratch: ScratchBuffers) => {
    strategy.fill(candles, combination, targets.fill(0), scratch);
    return runBacktest(candles, targets, window.from, costs, scratch);
  };
  const swept = {
    combinationAt: (index: number) => combinationAt(grid, index),
    allows: strategy.allows,
    trade,
    rankBy,
    keep,
    perYear: candlesPerYear(interval),
    allowed,
    returns: candles.time.length - window.from - 1,
  };
  return sweepRange(swept, { from, to }, scratch, onProgress);
}

/** What decides from parameters, and how its combinations are judged. */
export interface Swept {
  combinationAt: (index: number) => Record<string, number>;
  /** Default: all. */
  allows?: ((params: Record<string, number>) => boolean) | undefined;
  /** The run of a combination; its columns may be of `scratch`. */
  trade: (params: Record<string, number>, scratch: ScratchBuffers) => MeasuredRun;
  rankBy: SweepMeasure;
  keep: number;
  perYear: number;
  /** Of the whole sweep: how many combinations are tried, and the returns of each. */
  allowed: number;
  returns: number;
}

/** Trades the combinations of a range, and keeps the best. */
export function sweepRange(
  { combinationAt, allows, trade, rankBy, keep, perYear, allowed, returns }: Swept,
  { from, to }: SweepRange,
  scratch: ScratchBuffers,
  onProgress: OnProgress,
): SweepChunk {
  const lucky = luckiestSharpe(allowed, skilllessDeviation([returns]));
  const luckiest = lucky * Math.sqrt(perYear);
  const chunk: SweepChunk = { from, to, values: [], skipped: 0, best: [], luckiestSharpe: luckiest };
  for (let index = from; index < to; index++) {
    onProgress('backtest', (index - from) / (to - from));
    const combination = combinationAt(index);
    if (allows?.(combination) === false) {
      chunk.skipped++;
      chunk.values.push(null);
      continue;
    }
    scratch.within((scratch) => {
      const run = trade(combination, scratch);
      const figures = figuresOf(run, perYear, scratch);
      chunk.values.push(figures[rankBy]);
      const row: SweepRow = { index, params: combination, ...figures, deflatedSharpe: null };
      // Only for rows that are kept: it costs as much as a figure.
      if (keepBest(chunk.best, row, rankBy, keep))
        row.deflatedSharpe = probabilisticSharpe(candleReturns(run.equity, scratch), lucky);
    });
  }
  return chunk;
}

/** The combination of the grid that needs the most history, and how many of all the strategy allows. */
function surveyGrid(
  strategy: Strategy<string>,
  grid: ParameterGrid,
): { slowest: Record<string, number>; allowed: number } {
  let slowest = combinationAt(grid, 0);
  let allowed = 0;
  for (let index = 0; index < gridSize(grid); index++) {
    const combination = combinationAt(grid, index);
    if (strategy.ready(combination) > strategy.ready(slowest)) slowest = combination;
    allowed += Number(strategy.allows?.(combination) ?? true);
  }
  return { slowest, allowed };
}

/**
 * Inserts a row among the best, best first and at most `keep`, and answers whether it is one of them. Equals stay in the
 * order of the grid.
 */
export function keepBest(best: SweepRow[], row: SweepRow, rankBy: SweepMeasure, keep: number): boolean {
  if (row[rankBy] === null) return false;
  const before = (other: SweepRow) =>
    other[rankBy]! > row[rankBy]! || (other[rankBy] === row[rankBy] && other.index < row.index);
  const place = best.findLastIndex(before) + 1;
  if (place >= keep) return false;
  best.splice(place, 0, row);
  if (best.length > keep) best.pop();
  return true;
}

/** A chunk of a parameter sweep. Throws `not_enough_history`. */
export const sweepTask = defineTask({
  name: 'sweep',
  phases: ['backtest'],
  run: (
    { candles, interval, params }: SeriesQuestion<SweepParams & { range: SweepRange }>,
    scratch,
    onProgress,
  ): SweepChunk => sweepChunk(candles, interval, params, params.range, scratch, onProgress),
});
