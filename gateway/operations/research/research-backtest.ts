import Joi from 'joi';
import { field, fieldsOf } from '../../../compute/model/field.js';
import { researchIntervals } from '../../../compute/model/interval.js';
import {
  researchBacktestJob,
  researchDescription,
  type ResearchResult,
} from '../../../jobs/definitions/research-backtest.js';
import { keysOf } from '../../../jobs/definitions/shared/field-schema.js';
import { defineOperation } from '../../operation.js';
import { secondsToNextClose } from '../analysis/series-input.js';
import { listedFigures } from '../backtests/stored-runs.js';
import { passedOn, runJob } from '../run-job.js';
import { researchInput, researchRequest } from './research-input.js';
import { shownOf } from '../output-fields.js';

/** What an answer repeats of its request. */
export const researchAboutFields = {
  strategyHash: field.text('names the rules, without values of parameters'),
  params: field.record('parameters in force, by name', field.number('value')),
  assets: field.list('the assets', field.text('asset symbol')),
  interval: field.choice('length of a candle', researchIntervals),
  tradeMarket: field.text('quote currency'),
  source: field.text('market the candles come from'),
};

/** The report of a run with what was asked. */
export const researchOutput = Joi.object<ResearchResult>({
  id: Joi.string()
    .pattern(/^[0-9a-f]{64}$/, 'a SHA-256 in hex')
    .required()
    .description('follows from all inputs: the same id, the same report'),
  rules: Joi.object()
    .unknown()
    .meta({ component: 'StrategyRules' })
    .required()
    .description('the rules with their parameters filled in'),
  ...keysOf({ ...researchAboutFields, ...fieldsOf(researchDescription.report) }, 'answer'),
});

export const researchBacktest = defineOperation({
  id: 'research-backtest',
  summary:
    "Backtests a trader's own rules over any part of the history, on one asset or on several in one account.",
  scope: 'user',
  tokenScope: 'read:analysis',
  cost: 10,
  hasEtag: true,
  isLong: true,
  leadsTo: [{ to: 'get-run', fields: { id: 'payload/id' } }],
  input: researchInput,
  output: researchOutput,
  errors: ['not_enough_history', 'market_filling', 'unknown_strategy'],
  async handle(input, deps, caller) {
    const { data, series } = await researchRequest(input, deps, caller.user);
    const timeoutMs = deps.settings.BACKTEST_TIMEOUT_MS;
    const answer = await runJob(researchBacktestJob, data, deps, caller, timeoutMs);
    const { head, text } = answer;
    const { userId } = caller.user!;
    const strategy = typeof input.strategy === 'string' ? input.strategy : null;
    const summary = { strategy, ...shownOf(researchAboutFields, head), ...listedFigures(head) };
    const ran = { userId, kind: 'research' as const, ranAtMs: deps.queues.now() };
    deps.backtestWriter.keep({ ...ran, id: head.id, summary, text });
    const ttl = Math.min(...series.map((each) => secondsToNextClose(each)));
    return passedOn(answer, {}, { id: head.id, ttl });
  },
});
