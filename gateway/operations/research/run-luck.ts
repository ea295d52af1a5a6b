import { analysisNamed } from '../../../compute/analyses.js';
import { field, fieldsOf } from '../../../compute/model/field.js';
import { luckOfRulesJob } from '../../../jobs/definitions/luck-of-rules.js';
import { researchDescription, type ResearchResult } from '../../../jobs/definitions/research-backtest.js';
import { describedOperation } from '../analysis/described-operation.js';
import { findSeries } from '../analysis/series-input.js';
import { readBacktest } from '../backtests/stored-backtests.js';
import { changedNotes } from '../backtests/run-monte-carlo.js';
import { backtestId, storedBacktestFields } from '../backtests/stored-backtest-fields.js';
import { runJob } from '../run-options.js';
import { researchAboutFields } from './research-backtest.js';
import { keyedSeries } from './research-input.js';

const analysis = analysisNamed('monte-carlo');
const { totalReturn, maxDrawdown, tradeCount, window } = storedBacktestFields;

export const runLuck = describedOperation({
  id: 'run-luck',
  summary:
    'How much of the result of one of your stored runs of own rules luck could be: its trades and the candles of its account resampled.',
  scope: 'user',
  tokenScope: 'read:analysis',
  cost: 10,
  isLong: true,
  errors: ['unknown_backtest', 'not_enough_history', 'market_filling'],
  input: { id: backtestId, paths: analysis.params.paths, seed: analysis.params.seed },
  output: {
    id: backtestId,
    ...researchAboutFields,
    window,
    backtest: field.object('figures of the run', { totalReturn, maxDrawdown, tradeCount }),
    ...fieldsOf(analysis.output),
  },
  async handle({ id, paths, seed }, deps, caller) {
    const { report } = await readBacktest<ResearchResult, 'research'>('research', id, deps, caller);
    const { assets, tradeMarket, interval, window, assumptions } = report;
    const { feePercent, feeReason, slippagePercent } = assumptions;
    const { shortCostPercentPerDay, initialEquity, maxPositions, rankBy } = assumptions;
    const series = await Promise.all(
      assets.map((asset) => findSeries({ asset, tradeMarket, interval }, deps)),
    );
    const settings = {
      fromMs: Date.parse(window.from),
      toMs: Date.parse(window.to),
      costs: researchDescription.costsOf({ feePercent, slippagePercent, exchange: null }),
      feeReason,
      shortCostPercentPerDay,
      initialEquity,
      maxPositions,
      rankBy,
    };
    const data = { series: keyedSeries(series), strategy: report.rules, settings, paths, seed };
    const { result } = await runJob(luckOfRulesJob, data, deps, caller, deps.settings.BACKTEST_TIMEOUT_MS);
    const { strategyHash, params, source } = report;
    const { totalReturn, maxDrawdown, tradeCount } = report;
    return {
      payload: {
        id,
        strategyHash,
        params,
        assets,
        interval,
        tradeMarket,
        source,
        window,
        backtest: { totalReturn, maxDrawdown, tradeCount },
        feePercent,
        feeReason,
        ...result,
        notes: [...changedNotes(result.trades?.steps ?? null, tradeCount), ...result.notes],
      } as never,
    };
  },
});
