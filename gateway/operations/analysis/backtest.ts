import Joi from 'joi';
import { seriesFields } from '../../../compute/model/asset-fields.js';
import { field, fieldsOf, type Values } from '../../../compute/model/field.js';
import { backtestDescription, backtestJob, type BacktestResult } from '../../../jobs/definitions/backtest.js';
import { keysOf, objectSchema } from '../../../jobs/definitions/shared/field-schema.js';
import { defineOperation } from '../../operation.js';
import { listedFigures } from '../backtests/stored-runs.js';
import { passedOn, runJob, CallerRunOptions } from '../run-job.js';
import { findSeries, secondsToNextClose, keyAndDigest } from './series-input.js';
import { runSweep, sweepDescription, sweepSettings } from '../../../jobs/definitions/sweep.js';

const { params: settings, report, costsOf, feeOf } = backtestDescription;

const inputFields = { ...seriesFields, ...settings };

const outputFields = {
  id: field.text('follows from all inputs: the same id, the same report', {
    pattern: /^[0-9a-f]{64}$/,
    patternName: 'a SHA-256 in hex',
  }),
  ...seriesFields,
  period: settings.period,
  strategy: settings.strategy,
  params: field.record('parameters of the strategy in force, by name', field.number('value')),
  source: field.text('market the candles come from'),
};

export type BacktestOutput = BacktestResult & Values<typeof outputFields>;

/** The fields of a report and those that say what was asked. */
export const backtestOutput = Joi.object<BacktestOutput>({
  ...keysOf(outputFields, 'answer'),
  ...keysOf(fieldsOf(report), 'answer'),
});

export const backtest = defineOperation({
  id: 'backtest',
  summary: 'How a strategy would have traded an asset over the last 3, 6 or 12 months.',
  scope: 'user',
  tokenScope: 'read:analysis',
  cost: 10,
  hasEtag: true,
  input: objectSchema(inputFields),
  output: backtestOutput,
  errors: ['not_enough_history', 'market_filling'],
  leadsTo: [{ to: 'get-backtest', fields: { id: 'payload/id' } }],
  isLong: true,
  async handle(input, deps, caller) {
    const { asset, tradeMarket, interval, period, strategy, params } = input;
    const series = await findSeries(input, deps);
    const { feeReason } = feeOf(input);
    const data = { ...keyAndDigest(series), period, strategy, params, costs: costsOf(input), feeReason };
    const timeoutMs = deps.settings.BACKTEST_TIMEOUT_MS;
    const answer = await runJob(backtestJob, data, deps, caller, timeoutMs);
    const { head, text } = answer;
    const about = { asset, tradeMarket, interval, period, strategy, params, source: series.market };
    const summary = { ...about, ...listedFigures(head) };
    const ran = { userId: caller.user!.userId, kind: 'builtIn' as const, ranAtMs: deps.queues.now() };
    deps.backtestWriter.keep({ ...ran, id: head.id, summary, text });
    return passedOn(answer, about, { id: head.id, ttl: secondsToNextClose(series) });
  },
});

type SweepOutput = Awaited<ReturnType<typeof runSweep>> & { source: string };

/** Backtests of every combination of a grid of parameters. Its chunks run on all compute nodes. */
export const sweep = defineOperation({
  id: 'sweep',
  summary: 'Backtests a strategy with every combination of a grid of parameters and ranks them.',
  scope: 'user',
  tokenScope: 'read:analysis',
  cost: 20,
  input: objectSchema({ ...seriesFields, ...sweepDescription.params }),
  output: Joi.object<SweepOutput>({
    ...keysOf(seriesFields, 'answer'),
    source: Joi.string().required().description('market the candles come from'),
    ...keysOf({ ...sweepDescription.fee, ...fieldsOf(sweepDescription.report) }, 'answer'),
  }),
  errors: ['not_enough_history', 'market_filling'],
  isLong: true,
  async handle(input, deps, caller) {
    const { asset, interval, tradeMarket, ...params } = input;
    const series = await findSeries(input, deps);
    const payload = { ...keyAndDigest(series), params: sweepSettings(params) };
    const report = await runSweep(deps.queues, payload, new CallerRunOptions(caller));
    return {
      payload: {
        asset,
        interval,
        tradeMarket,
        source: series.market,
        ...sweepDescription.feeOf(input),
        ...report,
      },
      ttl: secondsToNextClose(series),
    };
  },
});
