import { defineAnalysis } from '../analysis.js';
import { field, type Values } from '../model/field.js';
import { sliceCandles, type Candles } from '../model/candles.js';
import { AppError } from '../model/errors.js';
import { candlesPerYear, intervalMs, type ResearchInterval } from '../model/interval.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import { ignoreProgress, reportPart, type OnProgress } from '../model/progress.js';
import { buyAndHold } from '../strategies/buy-and-hold.js';
import { candleReturns } from '../metrics/returns.js';
import { sharpeInterval } from '../metrics/sharpe-error.js';
import { strategyNamed, type StrategyName } from '../strategies/index.js';
import { computeTargets } from '../model/strategy.js';
import { initialEquity, runBacktest, type Costs, type Run } from './engine.js';
import { combinationsOf, completeGrid, gridAround, type ParameterGrid } from './parameter-grid.js';
import {
  benchmarkFields,
  benchmarkOf,
  figureFields,
  figuresOf,
  noteBenchmark,
  noteNulls,
  type MeasuredRun,
} from './report.js';
import { costFields, costsOf, feeFields, feeOf } from './trading-costs.js';
import { strategyField, strategyParamSpecs, windowFields } from './trading-fields.js';
import { judgeWalkForward, verdictFields } from './walk-forward-verdict.js';
import { datesOf } from './window.js';

export interface WalkForwardSettings {
  strategy: StrategyName;
  /** The combinations that each fold chooses from; null: `gridAround` the defaults. */
  grid: ParameterGrid | null;
  /** The number of pairs of training and test. */
  folds: number;
  /** The share of training in a pair, 0.5 to 0.9. */
  trainRatio: number;
  costs: Costs;
}

/** A stretch of candles, `from` up to, not including, `to`. */
export interface Stretch {
  from: number;
  to: number;
}

const stretchFields = { ...figureFields, ...windowFields, candles: field.count('candles of the stretch') };

export type StretchFigures = Values<typeof stretchFields>;

const walkForwardFold = field.object('one training with its test', {
  params: field.record(
    'parameters with the highest Sharpe ratio in training, by name',
    field.number('value'),
  ),
  inSample: field.object('the training', stretchFields),
  outOfSample: field.object('the test', stretchFields),
  benchmark: field.object('buy and hold over the test', benchmarkFields),
});

export const walkForwardFields = {
  ...verdictFields,
  combinations: field.count('combinations of parameters that each training could choose from'),
  folds: field.list('the trainings with their tests, the oldest first', walkForwardFold),
  outOfSample: field.object('all tests one after the other, equity carried on', stretchFields),
  benchmark: field.object('buy and hold over all tests', benchmarkFields),
  notes: field.list('why figures are null', field.text('a sentence')),
};

export type WalkForwardReport = Values<typeof walkForwardFields>;

/** The phases in order. */
export const walkForwardPhases = ['fit', 'test'] as const;

export const walkForward = defineAnalysis({
  name: 'walk-forward',
  title: 'Walk-forward',
  summary:
    'Fits the parameters of a strategy on each training stretch of the history and trades them on the test that follows.',
  needs: 'series',
  params: {
    strategy: strategyField,
    grid: field.nullable(
      field.paramGrid(
        'values of each parameter to try, 500 combinations at most; null: a grid around the defaults',
        'strategy',
        strategyParamSpecs,
      ),
      { default: null },
    ),
    folds: field.integer('pairs of training and test', { min: 2, max: 10, default: 5 }),
    trainRatio: field.number('share of training in a pair, 0.5 to 0.9', { min: 0.5, max: 0.9, default: 0.7 }),
    ...costFields,
  },
  output: field.object('the walk-forward', { ...feeFields, ...walkForwardFields }),
  scope: 'user',
  tool: {
    name: 'run_walk_forward',
    headline: ({ asset, verdict, reason, folds }) =>
      `${asset ?? ''}: ${verdict} over ${folds.length} folds. ${reason}`,
  },
  cost: 10,
  queue: 'backtest',
  timeoutMs: 60_000,
  phases: walkForwardPhases,
  run({ candles, interval, params }, scratch, onProgress) {
    const { strategy, grid, folds, trainRatio } = params;
    const settings = { strategy, grid, folds, trainRatio, costs: costsOf(params) };
    return {
      ...feeOf(params),
      ...walkStrategyForward(candles, interval, settings, scratch, onProgress),
    };
  },
});

/** Share of the time that fitting takes. */
const fitShare = 0.9;

export const mostWalked = 500;

const fewestTestCandles = 30;

/**
 * Fits the parameters of a strategy on each training stretch and trades them on the test that follows it. Training
 * stretches roll: all have the same length, and each ends where its test begins. Tests follow one another without a gap
 * up to the last candle. In a stretch the engine starts flat and sells at the end; decisions use all candles before.
 * Pardo, The Evaluation and Optimization of Trading Strategies, 2008. Throws `not_enough_history`,
 * and `invalid_input` for the grid.
 */
export function walkStrategyForward(
  candles: Candles,
  interval: ResearchInterval,
  params: WalkForwardSettings,
  scratch = new ScratchBuffers(),
  onProgress: OnProgress = ignoreProgress,
): WalkForwardReport {
  const strategy = strategyNamed(params.strategy);
  const grid = completeGrid(strategy, params.grid ?? gridAround(strategy.params), mostWalked);
  const combinations = combinationsOf(strategy, grid);
  const trade = (targets: Int8Array, { from, to }: Stretch, scratch: ScratchBuffers) =>
    runBacktest(sliceCandles(candles, 0, to), targets.subarray(0, to), from, params.costs, scratch);
  const held = computeTargets(buyAndHold, candles, {}, scratch);
  const targets = new Int8Array(candles.time.length);
  return walkForwardOf(
    {
      name: strategy.name,
      combinations,
      interval,
      initialEquity,
      time: candles.time,
      ready: Math.max(...combinations.map((each) => strategy.ready(each))),
      decide(params, scratch) {
        strategy.fill(candles, params, targets.fill(0), scratch);
        return (stretch, scratch) => trade(targets, stretch, scratch);
      },
      hold: (stretch, scratch) => trade(held, stretch, scratch),
    },
    params,
    scratch,
    onProgress,
  );
}

/** What decides from parameters, on the candles of one series. */
export interface Walked {
  name: string;
  combinations: readonly Record<string, number>[];
  interval: ResearchInterval;
  time: Float64Array;
  /** Index of the first candle on which the slowest combination decides. */
  ready: number;
  initialEquity: number;
  /** Decides with these parameters; the answer trades stretches, until the next call. */
  decide: (
    params: Record<string, number>,
    scratch: ScratchBuffers,
  ) => (stretch: Stretch, scratch: ScratchBuffers) => MeasuredRun;
  /** Buy and hold over a stretch. */
  hold: (stretch: Stretch, scratch: ScratchBuffers) => Pick<Run, 'equity' | 'lowestEquity'>;
}

/** Fits parameters on each training stretch, and trades them on the test that follows. Throws `not_enough_history`. */
export function walkForwardOf(
  walked: Walked,
  settings: Pick<WalkForwardSettings, 'folds' | 'trainRatio'>,
  scratch: ScratchBuffers,
  onProgress: OnProgress,
): WalkForwardReport {
  const { combinations, interval, time, hold } = walked;
  const stretches = stretchesOf(walked, settings);
  const perYear = candlesPerYear(interval);
  const fitted = fit(walked, stretches, perYear, scratch, reportPart(onProgress, 0, fitShare));
  const describe = (run: MeasuredRun, { from, to }: Stretch): StretchFigures => ({
    ...datesOf({ fromMs: time[from], toMs: time[to - 1] + intervalMs(interval) }),
    candles: to - from,
    ...figuresOf(run, perYear, scratch),
  });
  const tests: MeasuredRun[] = [];
  const deciding = new ScratchBuffers();
  const folds = stretches.map(({ train, test }, n) => {
    onProgress('test', fitShare + ((1 - fitShare) * n) / stretches.length);
    deciding.clear();
    const trade = walked.decide(fitted[n], deciding);
    const run = trade(test, scratch);
    tests.push(run);
    return {
      params: fitted[n],
      inSample: describe(trade(train, scratch), train),
      outOfSample: describe(run, test),
      benchmark: benchmarkOf(hold(test, scratch), perYear, scratch),
    };
  });
  const all = { from: stretches[0].test.from, to: stretches[stretches.length - 1].test.to };
  const joined = chain(tests, walked.initialEquity);
  const outOfSample = describe(joined, all);
  const benchmark = benchmarkOf(hold(all, scratch), perYear, scratch);
  const verdict = judgeWalkForward(
    folds,
    {
      totalReturn: outOfSample.totalReturn ?? 0,
      benchmarkReturn: benchmark.totalReturn ?? 0,
      sharpe: sharpeInterval(candleReturns(joined.equity), perYear),
    },
    combinations.length,
  );
  const report = { ...verdict, combinations: combinations.length, folds, outOfSample, benchmark };
  return { ...report, notes: noteWalk(report) };
}

/** Why figures are null, a sentence each that begins with their place. */
function noteWalk({
  degradation,
  sharpeLow,
  folds,
  outOfSample,
  benchmark,
}: Omit<WalkForwardReport, 'notes'>): string[] {
  const at = (place: string, notes: string[]) => notes.map((note) => `${place}: ${note}`);
  return [
    ...(degradation === null ? ['degradation is null: the trainings gained nothing'] : []),
    ...(sharpeLow === null ? ['sharpeLow, sharpeHigh are null: equity does not vary in the tests'] : []),
    ...folds.flatMap((fold, n) => [
      ...at(`training ${n + 1}`, noteNulls(fold.inSample)),
      ...at(`test ${n + 1}`, [...noteNulls(fold.outOfSample), ...noteBenchmark(fold.benchmark)]),
    ]),
    ...at('all tests', [...noteNulls(outOfSample), ...noteBenchmark(benchmark)]),
  ];
}

function stretchesOf(
  { name, ready, time: { length }, interval }: Walked,
  { folds, trainRatio }: Pick<WalkForwardSettings, 'folds' | 'trainRatio'>,
): { train: Stretch; test: Stretch }[] {
  const testsInAll = folds + trainRatio / (1 - trainRatio);
  const testCandles = Math.floor((length - ready) / testsInAll);
  if (testCandles < fewestTestCandles) {
    const needed = ready + Math.ceil(fewestTestCandles * testsInAll);
    const message = `a walk-forward of ${name} in ${folds} folds needs ${needed} closed ${interval} candles, found ${length}`;
    throw new AppError('not_enough_history', message, { details: { needed, found: length } });
  }
  return Array.from({ length: folds }, (_, n) => {
    const split = length - (folds - n) * testCandles;
    const train = { from: ready + n * testCandles, to: split };
    return { train, test: { from: split, to: split + testCandles } };
  });
}

/** The combination with the highest measure on each training stretch; on a tie, or without any measure, the first. */
function fit(
  { combinations, decide }: Walked,
  stretches: readonly { train: Stretch }[],
  perYear: number,
  scratch: ScratchBuffers,
  onProgress: OnProgress,
): Record<string, number>[] {
  const best = stretches.map(() => ({ value: -Infinity, params: combinations[0] }));
  const deciding = new ScratchBuffers();
  for (const [done, params] of combinations.entries()) {
    onProgress('fit', done / combinations.length);
    deciding.clear();
    const trade = decide(params, deciding);
    stretches.forEach(({ train }, n) => {
      const measured = scratch.within((scratch) => figuresOf(trade(train, scratch), perYear, scratch).sharpe);
      const value = measured ?? -Infinity;
      if (value > best[n].value) best[n] = { value, params };
    });
  }
  return best.map(({ params }) => params);
}

/** Joins consecutive runs: each starts with the final equity of the one before. */
function chain(runs: readonly MeasuredRun[], initialEquity: number): MeasuredRun {
  const length = runs.reduce((sum, run) => sum + run.equity.length, 0);
  const [equity, lowestEquity] = [new Float64Array(length), new Float64Array(length)];
  const trades: { gain: number; returnRate: number }[] = [];
  let candlesHeld = 0;
  let carried = 1;
  let at = 0;
  for (const run of runs) {
    for (let i = 0; i < run.equity.length; i++) {
      equity[at + i] = run.equity[i] * carried;
      lowestEquity[at + i] = run.lowestEquity[i] * carried;
    }
    at += run.equity.length;
    for (const { gain, returnRate } of run.trades) trades.push({ gain: gain * carried, returnRate });
    candlesHeld += run.candlesHeld;
    carried = equity[at - 1] / initialEquity;
  }
  return { equity, lowestEquity, trades, candlesHeld };
}
