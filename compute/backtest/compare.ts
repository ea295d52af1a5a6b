import { defineAnalysis } from '../analysis.js';
import { assetList } from '../model/asset-fields.js';
import { field, type Value, type Values } from '../model/field.js';
import { nullReasonOf } from '../model/null-reason.js';
import { paramsOf } from '../model/indicator.js';
import { holmOrNull, significance } from '../metrics/holm.js';
import { luckiestSharpe, skilllessDeviation } from '../metrics/luckiest-sharpe.js';
import { probabilisticSharpe } from '../metrics/sharpe-error.js';
import { candleReturns } from '../metrics/returns.js';
import { sharpe } from '../metrics/return-ratios.js';
import { AppError } from '../model/errors.js';
import { candlesPerYear, type Interval, type Period } from '../model/interval.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import { ignoreProgress, type OnProgress } from '../model/progress.js';
import { buyAndHold } from '../strategies/buy-and-hold.js';
import { strategyNamed, strategyNames } from '../strategies/index.js';
import { computeTargets } from '../model/strategy.js';
import type { PairCandles } from '../task.js';
import { runBacktest, type Costs } from './engine.js';
import { figureFields, figuresOf, noteNulls } from './report.js';
import { requireHistory } from './require-history.js';
import { costFields, costsOf, feeFields, feeOf } from './trading-costs.js';
import { periodField, strategyParamSpecs, windowFields } from './trading-fields.js';
import { datesOf, windowOf } from './window.js';

const comparedStrategy = field.object('a strategy', {
  name: field.choice('name of the strategy', strategyNames),
  params: field.params(
    'parameters of the strategy by name; the others keep their defaults',
    'name',
    strategyParamSpecs,
  ),
});

export type ComparedStrategy = Value<typeof comparedStrategy>;

export interface CompareSettings {
  strategies: readonly ComparedStrategy[];
  period: Period;
  costs: Costs;
}

const comparedRun = field.object('one strategy on one asset', {
  asset: field.text('asset symbol'),
  strategy: field.choice('name of the strategy', strategyNames),
  params: field.record('parameters in force, by name', field.number('value')),
  window: field.object('the time that was traded', windowFields),
  ...figureFields,
  excessReturn: field.number('return above buy and hold of the same window', { unit: 'points' }),
  outOfSampleReturn: field.nullable(
    field.number(
      'return over the last 30 % of the candles of the window, to check a choice that was made on the rest; null with fewer than 10 candles',
      { unit: 'percent' },
    ),
  ),
  pValue: field.nullable(
    field.number(
      'probability of a Sharpe ratio this high if the true one were 0; null where it has no meaning',
    ),
  ),
  adjustedPValue: field.nullable(field.number('that probability corrected for the number of combinations')),
  excessPValue: field.nullable(
    field.number(
      'probability of returns this far above buy and hold if the true excess were 0; null where the run never differs from it',
    ),
  ),
  adjustedExcessPValue: field.nullable(
    field.number('that probability corrected for the number of combinations'),
  ),
  significant: field.flag('whether both corrected probabilities are below 5 %'),
  notes: field.list('what to know about the run', field.text('a sentence')),
});

export type ComparedRun = Value<typeof comparedRun>;

const refusedRun = field.object('a combination that could not be computed', {
  asset: field.text('asset symbol'),
  strategy: field.choice('name of the strategy', strategyNames),
  code: field.text('code of the error'),
  message: field.text('why'),
});

export type RefusedRun = Value<typeof refusedRun>;

const comparisonFields = {
  runs: field.list('by Sharpe ratio, the highest first; runs without one last', comparedRun),
  refused: field.list('combinations that could not be computed', refusedRun),
  best: field.nullable(
    field.object('how far the best can be trusted; null where no run has a Sharpe ratio', {
      luckiestSharpe: field.number(
        'annualised Sharpe ratio that the best of so many combinations without skill is expected to reach',
      ),
      deflatedSharpe: field.number('probability that the best beats it: the deflated Sharpe ratio, 0 to 1'),
    }),
  ),
  bestReason: nullReasonOf('best'),
  correction: field.text('how the probabilities are corrected'),
  method: field.text('how the probabilities and the luckiest ratio are computed'),
};

export type Comparison = Values<typeof comparisonFields>;

export const compare = defineAnalysis({
  name: 'compare',
  title: 'Compare backtests',
  summary:
    'Up to 24 combinations of strategies and assets, backtested under the same settings and ranked, corrected for how many were tried.',
  needs: 'assets',
  params: {
    assets: assetList('assets to trade', { min: 1, max: 8 }),
    strategies: field.list('strategies to compare', comparedStrategy, {
      min: 1,
      max: 24,
      example: [
        { name: 'trend_state', params: {} },
        { name: 'ema_cross', params: { fast: 10, slow: 30 } },
      ],
    }),
    period: periodField,
    ...costFields,
  },
  assets: ({ assets }) => assets,
  output: field.object('the combinations compared', { ...feeFields, ...comparisonFields }),
  scope: 'user',
  cost: 10,
  queue: 'backtest',
  timeoutMs: 60_000,
  phases: ['backtest'],
  run({ pairs, interval, params }, scratch, onProgress) {
    const { strategies, period } = params;
    const settings = { strategies, period, costs: costsOf(params) };
    return {
      ...feeOf(params),
      ...compareStrategies(pairs, interval, settings, scratch, onProgress),
    };
  },
});

/** The share of a window at its end that counts as out of sample. */
const outOfSampleShare = 0.3;

export const mostCombinations = 24;

const method =
  'pValue: probabilistic Sharpe ratio (Bailey and Lopez de Prado, 2012) against 0; excessPValue: the same of the returns ' +
  'less those of buy and hold; luckiestSharpe: expected maximum of as many independent trials, whose ratios without skill ' +
  'have the deviation 1 / sqrt(returns) (Bailey and Lopez de Prado, 2014)';

/**
 * Every strategy on every pair under the same settings, ranked. Whether a Sharpe ratio is above 0, and whether the returns
 * are above those of buy and hold, is judged by the probabilistic Sharpe ratio, corrected by Holm's procedure for all that
 * were tried; combinations with too little history are listed apart and do not count. Both are required: in a rising market
 * any strategy gains, and in a falling one any strategy loses less than buy and hold. Throws `invalid_input` above 24 combinations.
 */
export function compareStrategies(
  pairs: readonly PairCandles[],
  interval: Interval,
  params: CompareSettings,
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
  const best = judgeBest(tried, perYear);
  return {
    runs: rank(tried),
    refused,
    best,
    bestReason: best ? null : 'no run has a Sharpe ratio: none was computed, or their returns do not vary',
    correction: 'Holm, over all combinations that have a p-value',
    method,
  };
}

/** A run with the returns its figures came from. */
interface Tried {
  run: Omit<ComparedRun, 'adjustedPValue' | 'adjustedExcessPValue' | 'significant'>;
  returns: Float64Array;
}

function tryOne(
  { asset, candles }: PairCandles,
  { name, params: given }: ComparedStrategy,
  interval: Interval,
  { period, costs }: CompareSettings,
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
  const heldReturns = candleReturns(held.equity);
  const pValue = pValueOf(returns);
  const excessPValue = pValueOf(returns.map((rate, i) => rate - heldReturns[i]));
  const outOfSampleReturn = lastPartReturn(run.equity);
  const notes = [...(window.short === null ? [] : [window.short]), ...noteNulls(figures)];
  if (pValue === null)
    notes.push('pValue and adjustedPValue are null: the returns do not vary enough for a Sharpe ratio');
  if (excessPValue === null)
    notes.push(
      'excessPValue and adjustedExcessPValue are null: the run hardly ever differs from buy and hold',
    );
  if (outOfSampleReturn === null)
    notes.push(
      'outOfSampleReturn is null: the window has fewer than 10 candles, or nothing was left by then',
    );
  return {
    returns,
    run: {
      asset,
      strategy: name,
      params,
      window: datesOf(window),
      ...figures,
      excessReturn: (figures.totalReturn ?? 0) - (figuresOf(held, perYear, scratch).totalReturn ?? 0),
      outOfSampleReturn,
      pValue,
      excessPValue,
      notes,
    },
  };
}

/** The return in percent over the last 30 % of the candles; null where there are fewer than 10. */
function lastPartReturn(equity: Float64Array): number | null {
  const last = equity.length - 1;
  if (last < 9) return null;
  const before = equity[Math.floor(last * (1 - outOfSampleShare))];
  return before > 0 ? (equity[last] / before - 1) * 100 : null;
}

/** The probability of a Sharpe ratio this high if the true one were 0; null where it has no meaning. */
function pValueOf(returns: Float64Array): number | null {
  const probability = probabilisticSharpe(returns);
  return probability === null ? null : 1 - probability;
}

function rank(tried: readonly Tried[]): ComparedRun[] {
  const adjusted = holmOrNull(tried.map(({ run }) => run.pValue));
  const adjustedExcess = holmOrNull(tried.map(({ run }) => run.excessPValue));
  const isLow = (p: number | null) => p !== null && p < significance;
  const runs = tried.map(({ run }, n) => ({
    ...run,
    adjustedPValue: adjusted[n],
    adjustedExcessPValue: adjustedExcess[n],
    significant: isLow(adjusted[n]) && isLow(adjustedExcess[n]),
  }));
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
  const lucky = luckiestSharpe(
    ratios.length,
    skilllessDeviation(ratios.map(({ returns }) => returns.length)),
  );
  const deflatedSharpe = probabilisticSharpe(best.returns, lucky);
  return deflatedSharpe === null ? null : { luckiestSharpe: lucky * Math.sqrt(perYear), deflatedSharpe };
}
