import { analysisNamed } from '../../../compute/analyses.js';
import { field, fieldsOf } from '../../../compute/model/field.js';
import { analysisJob } from '../../../jobs/definitions/shared/analysis-job.js';
import type { BacktestResult } from '../../../jobs/definitions/backtest.js';
import type { StrategyName } from '../../../compute/strategies/index.js';
import { describedOperation } from '../analysis/described-operation.js';
import { findSeries, keyAndDigest } from '../analysis/series-input.js';
import { runJob } from '../run-job.js';
import { askedFields, askedOf, storedBacktestFields } from './stored-runs.js';
import { picked, shownOf } from '../output-fields.js';
import { readBacktest } from './stored-backtests.js';
import { luckOfRulesJob } from '../../../jobs/definitions/luck-of-rules.js';
import { researchDescription, type ResearchResult } from '../../../jobs/definitions/research-backtest.js';
import { researchAboutFields } from '../research/research-backtest.js';
import { keyedSeries } from '../research/research-input.js';

const analysis = analysisNamed('monte-carlo');
const { id, window } = storedBacktestFields;
const figures = picked(storedBacktestFields, ['totalReturn', 'maxDrawdown', 'tradeCount']);

/** What both say of a stored run: how much of its result luck could be. */
const facts = {
  scope: 'user',
  tokenScope: 'read:analysis',
  cost: 10,
  isLong: true,
  errors: ['unknown_backtest', 'not_enough_history', 'market_filling'],
  input: { id, paths: analysis.params.paths, seed: analysis.params.seed },
} as const;

export const runMonteCarlo = describedOperation({
  ...facts,
  id: 'run-monte-carlo',
  summary:
    'How much of the result of one of your stored backtests luck could be: its trades and candles resampled, and its holding times entered at random.',
  output: {
    id,
    ...askedFields,
    window,
    backtest: field.object('figures of the backtest', figures),
    ...fieldsOf(analysis.output),
  },
  async handle({ id: runId, paths, seed }, deps, caller) {
    const { backtest, report } = await readBacktest<BacktestResult>('builtIn', runId, deps, caller);
    const { feePercent, slippagePercent, feeReason } = report.assumptions;
    const { asset, tradeMarket, interval, period, params } = backtest;
    const settings = {
      period,
      strategy: backtest.strategy as StrategyName,
      params,
      exchange: null,
      feePercent,
      slippagePercent,
      paths,
      seed,
      until: Date.parse(backtest.window.to),
    };
    const data = {
      ...keyAndDigest(await findSeries({ asset, tradeMarket, interval }, deps)),
      params: settings,
    };
    const timeoutMs = deps.settings.BACKTEST_TIMEOUT_MS;
    const { result } = await runJob(analysisJob(analysis), data, deps, caller, timeoutMs);
    return {
      payload: {
        id: runId,
        ...askedOf(backtest),
        window: backtest.window,
        backtest: shownOf(figures, backtest),
        ...result,
        // The fee is that of the backtest, and so is the reason for it.
        feeReason,
        notes: [...changedNotes(result.trades?.steps ?? null, backtest.tradeCount), ...result.notes],
      } as never,
    };
  },
});

/** Candles that were repaired since the backtest can change its trades. */
const changedNotes = (trades: number | null, before: number): string[] =>
  trades === null || trades === before
    ? []
    : [
        `the candles were repaired since the backtest ran: it has ${trades} trades on them, and had ${before}; run it again`,
      ];

export const runLuck = describedOperation({
  ...facts,
  id: 'run-luck',
  summary:
    'How much of the result of one of your stored runs of own rules luck could be: its trades and the candles of its account resampled.',
  output: {
    id,
    ...researchAboutFields,
    window,
    backtest: field.object('figures of the run', figures),
    ...fieldsOf(analysis.output),
  },
  async handle({ id: runId, paths, seed }, deps, caller) {
    const { report } = await readBacktest<ResearchResult, 'research'>('research', runId, deps, caller);
    const { feePercent, feeReason, slippagePercent } = report.assumptions;
    const { tradeMarket, interval } = report;
    const series = await Promise.all(
      report.assets.map((asset) => findSeries({ asset, tradeMarket, interval }, deps)),
    );
    const settings = {
      fromMs: Date.parse(report.window.from),
      toMs: Date.parse(report.window.to),
      costs: researchDescription.costsOf({ feePercent, slippagePercent, exchange: null }),
      feeReason,
      ...picked(report.assumptions, ['shortCostPercentPerDay', 'initialEquity', 'maxPositions', 'rankBy']),
    };
    const data = { series: keyedSeries(series), strategy: report.rules, settings, paths, seed };
    const { result } = await runJob(luckOfRulesJob, data, deps, caller, deps.settings.BACKTEST_TIMEOUT_MS);
    return {
      payload: {
        id: runId,
        ...shownOf(researchAboutFields, report),
        window: report.window,
        backtest: shownOf(figures, report),
        feePercent,
        feeReason,
        ...result,
        notes: [...changedNotes(result.trades?.steps ?? null, report.tradeCount), ...result.notes],
      } as never,
    };
  },
});
