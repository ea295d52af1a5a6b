import type { Candles } from '../model/candles.js';
import { candlesPerYear, type Interval, type Period } from '../model/interval.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import { ignoreProgress, type OnProgress } from '../model/progress.js';
import { strategyNamed, type StrategyName } from '../strategies/index.js';
import type { Strategy } from '../model/strategy.js';
import { runBacktest, type Costs } from './engine.js';
import { combinationAt, completeGrid, gridSize, type ParameterGrid } from './parameter-grid.js';
import { figuresOf, type Figures } from './report.js';
import { requireHistory } from './require-history.js';
import { windowOf } from './window.js';

/** What combinations are ranked by; the larger the better, of a drawdown too, which is 0 or below. */
export const sweepMeasures = [
  'sharpe',
  'totalReturn',
  'maxDrawdown',
  'profitFactor',
  'calmar',
  'sortino',
] as const;

export type SweepMeasure = (typeof sweepMeasures)[number];

/** The most combinations of one sweep. */
export const mostSwept = 10_000;

/** The settings of a parameter sweep. */
export interface SweepParams {
  strategy: StrategyName;
  grid: ParameterGrid;
  period: Period;
  costs: Costs;
  rankBy: SweepMeasure;
  /** How many of the best are told in full. */
  keep: number;
}

/** Combinations `from` up to, not including, `to` of the grid. */
export interface SweepRange {
  from: number;
  to: number;
}

/** A combination that was tried, with its place in the grid. */
export interface SweepRow extends Figures {
  index: number;
  params: Record<string, number>;
}

/** What a chunk of a sweep found. */
export interface SweepChunk extends SweepRange {
  /** The measure of each combination of the chunk; null where it has no meaning or the combination makes no sense. */
  values: (number | null)[];
  /** Combinations that make no sense to the strategy. */
  skipped: number;
  /** The best of the chunk, best first. */
  best: SweepRow[];
}

/**
 * Backtests every combination of the chunk on the same window. The window depends on the grid, not on the chunk: chunks
 * can be computed anywhere and put together. Throws `not_enough_history` where the slowest combination can't speak, `invalid_input`
 * for the grid.
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
  const slowest = slowestOf(strategy, grid);
  requireHistory(strategy, slowest, candles.time.length, interval);
  const window = windowOf(candles.time, interval, params.period, strategy.ready(slowest));
  const targets = new Int8Array(candles.time.length);
  const chunk: SweepChunk = { from, to, values: [], skipped: 0, best: [] };
  for (let index = from; index < to; index++) {
    onProgress('backtest', (index - from) / (to - from));
    const combination = combinationAt(grid, index);
    if (strategy.allows?.(combination) === false) {
      chunk.skipped++;
      chunk.values.push(null);
      continue;
    }
    const figures = scratch.within((scratch) => {
      strategy.fill(candles, combination, targets.fill(0), scratch);
      return figuresOf(
        runBacktest(candles, targets, window.from, costs, scratch),
        candlesPerYear(interval),
        scratch,
      );
    });
    chunk.values.push(figures[rankBy]);
    keepBest(chunk.best, { index, params: combination, ...figures }, rankBy, keep);
  }
  return chunk;
}

/** The combination of the grid that needs the most history. */
function slowestOf(strategy: Strategy<string>, grid: ParameterGrid): Record<string, number> {
  let slowest = combinationAt(grid, 0);
  for (let index = 1; index < gridSize(grid); index++) {
    const combination = combinationAt(grid, index);
    if (strategy.ready(combination) > strategy.ready(slowest)) slowest = combination;
  }
  return slowest;
}

/** Puts a row in its place among the best; of equals the one that comes first in the grid stands first. */
export function keepBest(best: SweepRow[], row: SweepRow, rankBy: SweepMeasure, keep: number): void {
  if (row[rankBy] === null) return;
  const before = (other: SweepRow) =>
    other[rankBy]! > row[rankBy]! || (other[rankBy] === row[rankBy] && other.index < row.index);
  const place = best.findLastIndex(before) + 1;
  if (place >= keep) return;
  best.splice(place, 0, row);
  if (best.length > keep) best.pop();
}
