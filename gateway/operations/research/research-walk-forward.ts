import Joi from 'joi';
import type { Values } from '../../../compute/model/field.js';
import {
  researchWalkDescription,
  walkForwardData,
  walkRulesForwardJob,
} from '../../../jobs/definitions/walk-rules-forward.js';
import { keysOf } from '../../../jobs/definitions/shared/field-schema.js';
import { defineOperation } from '../../operation.js';
import { runJob } from '../run-options.js';
import type { RunInput } from './research-input.js';
import { researchAnswerKeys, triedKeys, triedRequest } from './research-sweep.js';

const { params, report, mostCombinations } = researchWalkDescription;

type WalkInput = RunInput & Parameters<typeof triedRequest>[0] & Values<typeof params>;

type WalkOutput = Values<typeof report>;

export const researchWalkForward = defineOperation({
  id: 'research-walk-forward',
  summary:
    'Fits the parameters of rules on each training stretch of the window and trades them on the test that follows.',
  scope: 'user',
  tokenScope: 'read:analysis',
  cost: 20,
  isLong: true,
  input: Joi.object<WalkInput>({ ...triedKeys, ...keysOf(params) }),
  output: Joi.object<WalkOutput>({ ...researchAnswerKeys, ...keysOf(report, 'answer') }),
  errors: ['not_enough_history', 'market_filling', 'unknown_strategy'],
  async handle(input, deps, caller) {
    const { request, about, ttl } = await triedRequest(input, mostCombinations, deps, caller);
    const data = walkForwardData(request, input);
    const timeoutMs = deps.settings.BACKTEST_TIMEOUT_MS;
    const { result } = await runJob(walkRulesForwardJob, data, deps, caller, timeoutMs);
    return { payload: { ...about, ...result }, ttl };
  },
});
