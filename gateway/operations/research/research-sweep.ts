import Joi from 'joi';
import { field, type Values } from '../../../compute/model/field.js';
import { researchIntervals } from '../../../compute/model/interval.js';
import {
  researchSweepDescription,
  runRuleSweep,
  type ResearchSweepReport,
  type ResearchSweepRequest,
} from '../../../jobs/definitions/sweep-rules.js';
import { keysOf } from '../../../jobs/definitions/shared/field-schema.js';
import type { Caller, Deps } from '../../context.js';
import { defineOperation } from '../../operation.js';
import { secondsToNextClose } from '../analysis/series-input.js';
import { CallerRunOptions, runJob } from '../run-job.js';
import { researchRequest, runKeys, type RunInput } from './research-input.js';
import { rulesOf } from './rules-of.js';
import {
  researchWalkDescription,
  walkForwardData,
  walkRulesForwardJob,
} from '../../../jobs/definitions/walk-rules-forward.js';

const { tried, params, report } = researchSweepDescription;

type Tried = Values<typeof tried>;

type ResearchSweepInput = RunInput & Tried & Values<typeof params>;

const aboutFields = {
  strategyHash: field.text('names the rules, without values of parameters'),
  asset: field.text('asset symbol'),
  interval: field.choice('length of a candle', researchIntervals),
  tradeMarket: field.text('quote currency'),
  source: field.text('market the candles come from'),
};

/** The fields of an answer that say what was asked. */
const researchAnswerKeys = keysOf(aboutFields, 'answer');

/** The input of whatever tries combinations of parameters. */
const triedKeys = { ...runKeys, asset: runKeys.asset.required(), ...keysOf(tried) };

/** What jobs that try combinations need of a request. */
async function triedRequest(
  input: RunInput & Tried,
  most: number | undefined,
  deps: Deps,
  { user }: Pick<Caller, 'user'>,
) {
  const strategy = await rulesOf(input.strategy, deps, user);
  const { data, series, checked } = await researchRequest({ ...input, rankBy: null }, deps, user);
  const combinations = researchSweepDescription.combinationsOf(strategy, input.grid, input.random, most);
  const [{ asset, key, digest }] = data.series;
  const request: ResearchSweepRequest = {
    asset,
    key,
    digest,
    strategy,
    settings: data.settings,
    combinations,
  };
  const about = {
    strategyHash: checked.hash,
    asset,
    interval: key.interval,
    tradeMarket: key.quote,
    source: key.market,
  };
  return { request, about, ttl: secondsToNextClose(series[0]) };
}

/** Backtests of rules with many values of their parameters. Its parts run on all compute nodes. */
export const researchSweep = defineOperation({
  id: 'research-sweep',
  summary:
    'Backtests rules with every combination of values of their parameters, or with random ones, and ranks them.',
  scope: 'user',
  tokenScope: 'read:analysis',
  cost: 20,
  isLong: true,
  input: Joi.object<ResearchSweepInput>({ ...triedKeys, ...keysOf(params) }),
  output: Joi.object<ResearchSweepReport>({ ...researchAnswerKeys, ...keysOf(report, 'answer') }),
  errors: ['not_enough_history', 'market_filling', 'unknown_strategy'],
  async handle(input, deps, caller) {
    const { request, about, ttl } = await triedRequest(input, undefined, deps, caller);
    const { rankBy, keep } = input;
    const options = new CallerRunOptions(caller, deps.settings.BACKTEST_TIMEOUT_MS);
    const swept = await runRuleSweep(deps.queues, request, { rankBy, keep }, options);
    // A part of a sweep is no answer to keep.
    return { payload: { ...about, ...swept }, ...(swept.complete ? { ttl } : {}) };
  },
});

const { mostCombinations, ...walk } = researchWalkDescription;

type WalkInput = RunInput & Parameters<typeof triedRequest>[0] & Values<typeof walk.params>;

type WalkOutput = Values<typeof walk.report>;

export const researchWalkForward = defineOperation({
  id: 'research-walk-forward',
  summary:
    'Fits the parameters of rules on each training stretch of the window and trades them on the test that follows.',
  scope: 'user',
  tokenScope: 'read:analysis',
  cost: 20,
  isLong: true,
  input: Joi.object<WalkInput>({ ...triedKeys, ...keysOf(walk.params) }),
  output: Joi.object<WalkOutput>({ ...researchAnswerKeys, ...keysOf(walk.report, 'answer') }),
  errors: ['not_enough_history', 'market_filling', 'unknown_strategy'],
  async handle(input, deps, caller) {
    const { request, about, ttl } = await triedRequest(input, mostCombinations, deps, caller);
    const data = walkForwardData(request, input);
    const timeoutMs = deps.settings.BACKTEST_TIMEOUT_MS;
    const { result } = await runJob(walkRulesForwardJob, data, deps, caller, timeoutMs);
    return { payload: { ...about, ...result }, ttl };
  },
});
