import Joi from 'joi';
import { completeGrid, gridSize } from '../../compute/backtest/parameter-grid.js';
import {
  keepBest,
  mostSwept,
  sweepMeasures,
  type SweepChunk,
  type SweepParams,
  type SweepRange,
  type SweepRow,
} from '../../compute/backtest/sweep.js';
import { periods } from '../../compute/model/interval.js';
import { strategyNamed, strategyNames } from '../../compute/strategies/index.js';
import type { JobClient, RunOptions } from '../requests/job-client.js';
import { defineSeriesJob, type SeriesPayload } from './shared/series-job.js';
import { costsSchema, gridSchema } from './shared/settings-schema.js';

const index = () => Joi.number().integer().min(0).max(mostSwept).required();

/** One chunk of a parameter sweep. */
export const sweepJob = defineSeriesJob({
  name: 'sweep',
  queue: 'backtest',
  timeoutMs: 60_000,
  params: Joi.object<SweepParams & { range: SweepRange }, true>({
    strategy: Joi.string()
      .valid(...strategyNames)
      .required(),
    grid: gridSchema.required(),
    period: Joi.string()
      .valid(...periods)
      .default('1y'),
    costs: costsSchema,
    rankBy: Joi.string()
      .valid(...sweepMeasures)
      .default('sharpe'),
    keep: Joi.number().integer().min(1).max(200).default(20),
    range: Joi.object<SweepRange, true>({ from: index(), to: index() }).required(),
  }),
});

/** The combinations of one chunk: a fraction of a second's work on a year of 1h candles. */
const chunkCombinations = 100;

export interface SweepReport {
  /** The values of each parameter, defaults included: combination n is the n-th of them, the last parameter fastest. */
  grid: Record<string, readonly number[]>;
  combinations: number;
  /** Combinations that make no sense to the strategy. */
  skipped: number;
  /** The measure of each combination; null where it has no meaning. */
  values: (number | null)[];
  best: SweepRow[];
}

/**
 * A sweep over the whole grid, in chunks that all threads of all compute nodes share. Ends with the first chunk that
 * fails, whose error it throws, and cancels the others.
 */
export async function runSweep(
  queues: Pick<JobClient, 'runAll'>,
  payload: SeriesPayload<SweepParams>,
  options: RunOptions,
): Promise<SweepReport> {
  const { params } = payload;
  const grid = completeGrid(strategyNamed(params.strategy), params.grid, mostSwept);
  const combinations = gridSize(grid);
  const payloads = Array.from({ length: Math.ceil(combinations / chunkCombinations) }, (_, n) => {
    const from = n * chunkCombinations;
    const range = { from, to: Math.min(from + chunkCombinations, combinations) };
    return { ...payload, params: { ...params, grid, range } };
  });
  const answers = await queues.runAll(sweepJob, payloads, options);
  return {
    grid,
    combinations,
    ...mergeChunks(
      answers.map(({ result }) => result),
      params,
    ),
  };
}

/** Chunks in the order of the grid as one. */
function mergeChunks(
  chunks: readonly SweepChunk[],
  { rankBy, keep }: Pick<SweepParams, 'rankBy' | 'keep'>,
): Pick<SweepReport, 'skipped' | 'values' | 'best'> {
  const best: SweepRow[] = [];
  for (const row of chunks.flatMap((chunk) => chunk.best)) keepBest(best, row, rankBy, keep);
  return {
    skipped: chunks.reduce((sum, { skipped }) => sum + skipped, 0),
    values: chunks.flatMap(({ values }) => values),
    best,
  };
}
