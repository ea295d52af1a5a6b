import Joi from 'joi';
import { completeGrid, gridSize } from '../../compute/backtest/parameter-grid.js';
import {
  keepBest,
  mostSwept,
  noteSweep,
  sweepParams,
  sweepReport,
  type SweepChunk,
  type SweepParams,
  type SweepRange,
  type SweepReport,
  type SweepRow,
} from '../../compute/backtest/sweep.js';
import { costsOf, defaultCosts, feeFields, feeOf } from '../../compute/backtest/trading-costs.js';
import type { Values } from '../../compute/model/field.js';
import { strategyNamed } from '../../compute/strategies/index.js';
import type { JobClient, RunOptions } from '../requests/job-client.js';
import { keysOf } from './shared/field-schema.js';
import { defineSeriesJob, type SeriesPayload } from './shared/series-job.js';
import type { Costs } from '../../compute/backtest/engine.js';

const defaults = costsOf(defaultCosts);

const rate = () => Joi.number().min(0).max(0.1);

/** The costs of trading on each side, as fractions; a request may leave them out. */
const costsSchema = Joi.object<Costs, true>({
  feeRate: rate().default(defaults.feeRate),
  slippageRate: rate().default(defaults.slippageRate),
}).default();

/** A sweep as callers see it: the fields of its parameters, of the fee that it charges, and of its report. */
export const sweepDescription = { params: sweepParams, fee: feeFields, report: sweepReport, feeOf };

/** The settings of a sweep with these parameters: costs become fractions. */
export const sweepSettings = ({
  exchange,
  feePercent,
  slippagePercent,
  ...rest
}: Values<typeof sweepParams>): SweepParams => ({
  ...rest,
  costs: costsOf({ exchange, feePercent, slippagePercent }),
});

const index = () => Joi.number().integer().min(0).max(mostSwept).required();

const { strategy, grid, period, rankBy, keep } = sweepParams;

/** One chunk of a parameter sweep. */
export const sweepJob = defineSeriesJob({
  name: 'sweep',
  queue: 'backtest',
  timeoutMs: 60_000,
  params: Joi.object<SweepParams & { range: SweepRange }>({
    ...keysOf({ strategy, grid, period, rankBy, keep }),
    costs: costsSchema,
    range: Joi.object<SweepRange, true>({ from: index(), to: index() }).required(),
  }),
});

/** The combinations of one chunk: a fraction of a second's work on a year of 1h candles. */
const chunkCombinations = 100;

/**
 * A sweep over the whole grid, in chunks that the threads of all compute nodes share. If a chunk fails, the others are
 * cancelled, and the error of that chunk is thrown.
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
    grid: Object.fromEntries(Object.entries(grid).map(([name, values]) => [name, [...values]])),
    combinations,
    ...mergeChunks(
      answers.map(({ result }) => result),
      params,
    ),
  };
}

/** Merges chunks that come in the order of the grid. */
function mergeChunks(
  chunks: readonly SweepChunk[],
  { rankBy, keep }: Pick<SweepParams, 'rankBy' | 'keep'>,
): Omit<SweepReport, 'grid' | 'combinations'> {
  const best: SweepRow[] = [];
  for (const row of chunks.flatMap((chunk) => chunk.best)) keepBest(best, row, rankBy, keep);
  return {
    skipped: chunks.reduce((sum, { skipped }) => sum + skipped, 0),
    values: chunks.flatMap(({ values }) => values),
    best,
    luckiestSharpe: chunks[0].luckiestSharpe,
    notes: noteSweep(best),
  };
}
