import { paramsOf } from '../model/indicator.js';
import { holm } from '../metrics/holm.js';
import { luckiestSharpe, probabilisticSharpe } from '../metrics/probabilistic-sharpe.js';
import { candleReturns } from '../metrics/returns.js';
import { sharpe } from '../metrics/sharpe.js';
import { standardDeviation } from '../metrics/standard-deviation.js';
import { AppError, type ErrorCode } from '../model/errors.js';
import { candlesPerYear, type Interval, type Period } from '../model/interval.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import { ignoreProgress, type OnProgress } from '../model/progress.js';
import { buyAndHold } from '../strategies/buy-and-hold.js';
import { strategyNamed, type StrategyName } from '../strategies/index.js';
import { computeTargets } from '../model/strategy.js';
import type { PairCandles } from '../task.js';
import { runBacktest, type Costs } from './engine.js';
import { figuresOf, type Figures } from './report.js';
import { requireHistory } from './require-history.js';
import { datesOf, windowOf } from './window.js';

/** A strategy to be compared; parameters that are not given have their defaults. */
export interface ComparedStrategy {
  name: StrategyName;
  params: Readonly<Record<string, number>>;
}

export interface CompareParams {
  strategies: ComparedStrategy[];
  period: Period;
  costs: Costs;
}

/** One strategy on one asset. */
export interface ComparedRun extends Figures {
  asset: string;
  strategy: StrategyName;
  params: Record<string, number>;
  window: { from: string; to: string };
  /** Return above buy and hold of the same window, in percentage points. */
  excessReturn: number;
  /** The chance of a Sharpe ratio this high if the true one were 0; null where it has no meaning. */
  pValue: number | null;
  /** The same corrected for the number of combinations. */
  adjustedPValue: number | null;
  /** Whether the corrected chance is below 5 %. */
  significant: boolean;
  notes: string[];
}

/** A combination that could not be computed, and why. */
export interface RefusedRun {
  asset: string;
  strategy: StrategyName;
  code: ErrorCode;
  message: string;
}

export interface Comparison {
  /** By Sharpe ratio, the highest first; those without one stand last. */
  runs: ComparedRun[];
  refused: RefusedRun[];
  /** How far the best of so many can be trusted; null with none that has a Sharpe ratio. */
  best: {
    /** The Sharpe ratio that the best of so many without skill would be expected to reach, annualised. */
    luckiestSharpe: number;
    /** How sure it is that the best beats that, 0 to 1: the deflated Sharpe ratio. */
    deflatedSharpe: number;
  } | null;
  correction: string;
}

export const mostCombinations = 24;

/**
 * Every strategy on every pair under the same settings, ranked. Whether a Sharpe ratio is above 0 is judged by the
 * probabilistic Sharpe ratio, corrected by Holm's procedure for all that were tried; combinations with too little history
 * are told apart and don't count. Throws `invalid_input` above 24 combinations.
 */
export function compareStrategies(
  pairs: readonly PairCandles[],
  interval: Interval,
  params: CompareParams,
  scratch = new ScratchBuffers(),
  onProgress: OnProgress = ignoreProgress,
): Comparison {
  const count = pairs.length * params.strategies.length;
  if (count > mostCombinations) {
    const message = `at most ${mostCombinations} combinations can be compared, found ${count}`;
    throw new AppError('invalid_input', message, {
      details: { field: 'strategies', most: mostCombinations },
    });
  }
  const tried: Tried[] = [];
  const refused: RefusedRun[] = [];
  for (const pair of pairs) {
    for (const strategy of params.strategies) {
      onProgress('backtest', (tried.length + refused.length) / count);
      scratch.clear();
      try {
        tried.push(tryOne(pair, strategy, interval, params, scratch));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const { code, message } = error;
        refused.push({ asset: pair.asset, strategy: strategy.name, code, message });
      }
    }
  }
  const perYear = candlesPerYear(interval);
  return {
    runs: rank(tried),
    refused,
    best: judgeBest(tried, perYear),
    correction: 'Holm, over all combinations that have a p-value',
  };
}

/** A run with the returns its figures came from. */
interface Tried {
  run: Omit<ComparedRun, 'adjustedPValue' | 'significant'>;
  returns: Float64Array;
}

function tryOne(
  { asset, candles }: PairCandles,
  { name, params: given }: ComparedStrategy,
  interval: Interval,
  { period, costs }: CompareParams,
  scratch: ScratchBuffers,
): Tried {
  const strategy = strategyNamed(name);
  const params = paramsOf(strategy.params, given);
  requireHistory(strategy, params, candles.time.length, interval);
  const window = windowOf(candles.time, interval, period, strategy.ready(params));
  const trade = (targets: Int8Array) => runBacktest(candles, targets, window.from, costs, scratch);
  const perYear = candlesPerYear(interval);
  const run = trade(computeTargets(strategy, candles, params, scratch));
  const held = trade(computeTargets(buyAndHold, candles, {}, scratch));
  const figures = figuresOf(run, perYear, scratch);
  const returns = candleReturns(run.equity);
  const sure = probabilisticSharpe(returns);
  return {
    returns,
    run: {
      asset,
      strategy: name,
      params,
      window: datesOf(window),
      ...figures,
      excessReturn: (figures.totalReturn ?? 0) - (figuresOf(held, perYear, scratch).totalReturn ?? 0),
      pValue: sure === null ? null : 1 - sure,
      notes: window.short === null ? [] : [window.short],
    },
  };
}

function rank(tried: readonly Tried[]): ComparedRun[] {
  const judged = tried.filter(({ run }) => run.pValue !== null);
  const adjusted = holm(judged.map(({ run }) => run.pValue!));
  const runs = tried.map(({ run }) => {
    const place = judged.findIndex((each) => each.run === run);
    const adjustedPValue = place < 0 ? null : adjusted[place];
    return { ...run, adjustedPValue, significant: adjustedPValue !== null && adjustedPValue < 0.05 };
  });
  const height = ({ sharpe }: ComparedRun) => sharpe ?? -Infinity;
  // A stable sort: equals stay in the order in which they were asked for.
  return runs.sort((left, right) =>
    height(right) > height(left) ? 1 : height(right) < height(left) ? -1 : 0,
  );
}

function judgeBest(tried: readonly Tried[], perYear: number): Comparison['best'] {
  const ratios = tried.flatMap(({ returns }) => {
    const ratio = sharpe(returns, 1);
    return ratio === null ? [] : [{ ratio, returns }];
  });
  if (ratios.length === 0) return null;
  const best = ratios.reduce((left, right) => (right.ratio > left.ratio ? right : left));
  const spread = ratios.length < 2 ? 0 : standardDeviation(Float64Array.from(ratios, ({ ratio }) => ratio));
  const lucky = luckiestSharpe(ratios.length, spread);
  const deflatedSharpe = probabilisticSharpe(best.returns, lucky);
  return deflatedSharpe === null ? null : { luckiestSharpe: lucky * Math.sqrt(perYear), deflatedSharpe };
}
