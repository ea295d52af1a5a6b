import Joi from 'joi';
import {
  completeGrid,
  combinationsOf,
  randomCombinations,
  type ParameterGrid,
} from '../../compute/backtest/parameter-grid.js';
import {
  keepBest,
  mostSwept,
  noteSweep,
  sweepMeasures,
  sweepRow,
  type SweepMeasure,
  type SweepRow,
  sweepReport,
} from '../../compute/backtest/sweep.js';
import type { RuleSweepParams } from '../../compute/backtest/sweep-rules-task.js';
import type { RuleSettings } from '../../compute/backtest/trade-rules-task.js';
import { windowFields } from '../../compute/backtest/trading-fields.js';
import { AppError, fieldError } from '../../compute/model/errors.js';
import { field, fieldsOf, type Values } from '../../compute/model/field.js';
import { intervalMs, type ResearchInterval } from '../../compute/model/interval.js';
import { seedFrom } from '../../compute/model/random.js';
import { canonicalRules, type StrategyJson } from '../../compute/rules/canonical-rules.js';
import { parseStrategy } from '../../compute/rules/parse-strategy.js';
import type { SeriesKey } from '../../storage/candles/series.js';
import type { JobClient, RunOptions } from '../requests/job-client.js';
import { defineSeriesJob } from './shared/series-job.js';
import { surveyRulesJob } from './survey-rules.js';

/** The most candles of a sweep, counted once for each combination. */
const mostCandles = 2_000_000_000;

/** The time limit of a sweep, waiting included, and the share of it that is kept for the check of the reported rows. */
const mostMs = 60_000;
const checkShare = 1 / 12;

const { luckiestSharpe, notes } = fieldsOf(sweepReport);

const gridField = field.nullable(
  field.record(
    'values to try of each parameter; the others keep their defaults',
    field.list('values', field.number('value')),
  ),
  { default: null, example: { fast: [10, 20] } },
);

const randomField = field.nullable(
  field.object('combinations drawn evenly instead of a grid; equal ones count once', {
    samples: field.integer('how many to draw', { min: 1, max: mostSwept }),
    seed: field.integer('the same seed draws the same', { min: 0, max: 4_294_967_295 }),
  }),
  { default: null },
);

/** A sweep of rules as callers see it. */
export const researchSweepDescription = {
  tried: { grid: gridField, random: randomField },
  params: {
    rankBy: field.choice('figure to rank combinations by: the largest first', sweepMeasures, {
      default: 'sharpe',
    }),
    keep: field.integer('combinations to report with all figures: the best ones', {
      min: 1,
      max: 200,
      default: 20,
    }),
  },
  report: {
    combinations: field.count('combinations that were to be tried'),
    complete: field.flag('whether all were tried before the time limit'),
    done: field.count('combinations that were tried'),
    values: field.list(
      'the figure that ranks, of each combination in order: the last parameter of a grid changes fastest; null where it has no meaning or was not reached',
      field.nullable(field.number('value')),
    ),
    best: field.list('the best combinations, the best first', sweepRow),
    luckiestSharpe,
    window: field.object('the window of every combination, from where the slowest is ready', windowFields),
    checked: field.count('reported combinations that passed the look-ahead check'),
    notes,
  },
  combinationsOf: ruleCombinations,
};

export type ResearchSweepReport = Values<(typeof researchSweepDescription)['report']>;

/** What is swept: rules on one series. */
export interface ResearchSweepRequest {
  asset: string;
  key: SeriesKey<ResearchInterval>;
  digest: string;
  strategy: unknown;
  settings: RuleSettings;
  combinations: Record<string, number>[];
}

/** The combinations of a grid or of random draws. Throws `invalid_input` for values that the strategy refuses. */
function ruleCombinations(
  strategy: unknown,
  grid: ParameterGrid | null,
  random: { samples: number; seed: number } | null,
  most = mostSwept,
): Record<string, number>[] {
  const { params } = parseStrategy(strategy);
  const specs = Object.entries(params).map(([name, spec]) => [name, { ...spec, title: name }] as const);
  const gridded = { name: 'the strategy', params: Object.fromEntries(specs) };
  if (grid !== null && random !== null) throw fieldError('random', 'expected "grid" or "random", found both');
  if (random === null) return combinationsOf(gridded, completeGrid(gridded, grid ?? {}, most));
  if (random.samples > most)
    throw fieldError('random', `at most ${most} samples can be tried, found ${random.samples}`);
  return randomCombinations(gridded, random.samples, random.seed);
}
export const sweepRulesJob = defineSeriesJob({
  name: 'sweep-rules',
  queue: 'backtest',
  timeoutMs: mostMs,
  params: Joi.object<RuleSweepParams>({
    strategy: Joi.object().required(),
    settings: Joi.object().required(),
    combinations: Joi.array().items(Joi.object()).required(),
    first: Joi.number().required(),
    tried: Joi.number().required(),
    fromMs: Joi.number().required(),
    rankBy: Joi.string<SweepMeasure>().required(),
    keep: Joi.number().required(),
    checkSeed: Joi.number().allow(null).required(),
  }),
});

/** The combinations of one part: a fraction of a second's work on a year of 1h candles. */
const partCombinations = 50;

/**
 * Sweeps rules over combinations of their parameters, in parts that the threads of all compute nodes share. At the time limit it
 * answers with what is done. If a part fails, the others are cancelled, and the error of that part is thrown.
 */
export async function runRuleSweep(
  queues: Pick<JobClient, 'run' | 'runAll'>,
  { asset, key, digest, strategy: given, settings, combinations }: ResearchSweepRequest,
  { rankBy, keep }: { rankBy: SweepMeasure; keep: number },
  options: RunOptions,
): Promise<ResearchSweepReport> {
  const started = performance.now();
  const { traceId, owner, signal, onProgress, timeoutMs: limitMs = mostMs } = options;
  // A spread would lose a signal that is a getter.
  const within = (reservedMs: number): RunOptions => ({
    traceId,
    keepsDone: true,
    ...(signal ? { signal } : {}),
    ...(owner === undefined ? {} : { owner }),
    timeoutMs: Math.max(1, limitMs - reservedMs - (performance.now() - started)),
  });
  const strategy: StrategyJson = canonicalRules(given);
  const survey = { key, digest, params: { strategy, settings, combinations, asset } };
  const { result: window } = await queues.run(surveyRulesJob, survey, within(0));
  const candles = window.candles * combinations.length;
  if (candles > mostCandles)
    throw fieldError('grid', `at most ${mostCandles} candles x combinations can be swept, found ${candles}`);
  const common = { strategy, settings, fromMs: window.fromMs, tried: combinations.length, rankBy };
  const parts = Array.from({ length: Math.ceil(combinations.length / partCombinations) }, (_, n) => {
    const first = n * partCombinations;
    const some = combinations.slice(first, first + partCombinations);
    return { key, digest, params: { ...common, first, combinations: some, keep, checkSeed: null } };
  });
  const answers = await queues.runAll(sweepRulesJob, parts, {
    ...within(limitMs * checkShare),
    ...(onProgress ? { onProgress } : {}),
  });
  const best: SweepRow[] = [];
  const values: (number | null)[] = combinations.map(() => null);
  let done = 0;
  for (const { result } of answers) {
    result.values.forEach((value, n) => (values[result.from + n] = value));
    done += result.values.length;
    for (const row of result.best) keepBest(best, row, rankBy, keep);
  }
  const checked = await checkRows(best);
  const endMs = window.lastMs + intervalMs(key.interval);
  return {
    combinations: combinations.length,
    complete: done === combinations.length,
    done,
    values,
    best,
    luckiestSharpe: answers[0].result.luckiestSharpe,
    window: { from: new Date(window.fromMs).toISOString(), to: new Date(endMs).toISOString() },
    checked,
    notes: [
      ...(window.note === null ? [] : [window.note]),
      ...(done === combinations.length
        ? []
        : [`at the time limit ${done} of ${combinations.length} combinations were tried`]),
      ...(checked === best.length
        ? []
        : [`the time limit left ${best.length - checked} of ${best.length} rows unchecked for look-ahead`]),
      ...noteSweep(best),
    ],
  };

  /** Checks the rows that are reported, and answers how many; those that the time limit leaves out are not. */
  async function checkRows(rows: readonly SweepRow[]): Promise<number> {
    const checks = rows.map(({ params, index }) => ({
      key,
      digest,
      params: { ...common, first: index, combinations: [params], keep: 1, checkSeed: seedFrom(digest) },
    }));
    try {
      return (await queues.runAll(sweepRulesJob, checks, within(0))).length;
    } catch (error) {
      // The limit left none.
      if (error instanceof AppError && error.code === 'time_limit') return 0;
      throw error;
    }
  }
}
