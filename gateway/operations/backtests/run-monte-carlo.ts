import { analysisNamed } from '../../../compute/analyses.js';
import { field, fieldsOf } from '../../../compute/model/field.js';
import { analysisJob } from '../../../jobs/definitions/shared/analysis-job.js';
import type { BacktestResult } from '../../../jobs/definitions/backtest.js';
import type { StrategyName } from '../../../compute/strategies/index.js';
import { describedOperation } from '../analysis/described-operation.js';
import { findSeries, keyAndDigest } from '../analysis/series-input.js';
import { runJob } from '../run-options.js';
import { askedOf } from './backtest-parts.js';
import { readBacktest } from './stored-backtests.js';
import { backtestId, storedBacktestFields } from './stored-backtest-fields.js';

const analysis = analysisNamed('monte-carlo');
const { asset, tradeMarket, interval, period, strategy, params, source, window } = storedBacktestFields;
const { totalReturn, maxDrawdown, tradeCount } = storedBacktestFields;

export const runMonteCarlo = describedOperation({
  id: 'run-monte-carlo',
  summary:
    'How much of the result of one of your stored backtests luck could be: its trades and candles resampled, and its holding times entered at random.',
  scope: 'user',
  tokenScope: 'read:analysis',
  cost: 10,
  isLong: true,
  errors: ['unknown_backtest', 'not_enough_history', 'market_filling'],
  input: { id: backtestId, paths: analysis.params.paths, seed: analysis.params.seed },
  output: {
    id: backtestId,
    asset,
    tradeMarket,
    interval,
    period,
    strategy,
    params,
    source,
    window,
    backtest: field.object('figures of the backtest', { totalReturn, maxDrawdown, tradeCount }),
    ...fieldsOf(analysis.output),
  },
  async handle({ id, paths, seed }, deps, caller) {
    const { backtest, report } = await readBacktest<BacktestResult>('builtIn', id, deps, caller);
    const { feePercent, slippagePercent } = report.assumptions;
    const key = { asset: backtest.asset, tradeMarket: backtest.tradeMarket, interval: backtest.interval };
    const series = await findSeries(key, deps);
    const settings = {
      period: backtest.period,
      strategy: backtest.strategy as StrategyName,
      params: backtest.params,
      exchange: null,
      feePercent,
      slippagePercent,
      paths,
      seed,
      until: Date.parse(backtest.window.to),
    };
    const data = { ...keyAndDigest(series), params: settings };
    const timeoutMs = deps.settings.BACKTEST_TIMEOUT_MS;
    const { result } = await runJob(analysisJob(analysis), data, deps, caller, timeoutMs);
    return {
      payload: {
        id,
        ...askedOf(backtest),
        window: backtest.window,
        backtest: {
          totalReturn: backtest.totalReturn,
          maxDrawdown: backtest.maxDrawdown,
          tradeCount: backtest.tradeCount,
        },
        ...result,
        // The fee is that of the backtest, and so is the reason for it.
        feeReason: report.assumptions.feeReason,
        notes: [...changedNotes(result.trades?.steps ?? null, backtest.tradeCount), ...result.notes],
      } as never,
    };
  },
});

/** Candles that were repaired since the backtest can change its trades. */
export const changedNotes = (trades: number | null, before: number): string[] =>
  trades === null || trades === before
    ? []
    : [
        `the candles were repaired since the backtest ran: it has ${trades} trades on them, and had ${before}; run it again`,
      ];
