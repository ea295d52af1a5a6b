import Joi from 'joi';
import type { ResearchResult } from '../../../jobs/definitions/research-backtest.js';
import { keysOf } from '../../../jobs/definitions/shared/field-schema.js';
import { defineOperation } from '../../operation.js';
import { readBacktest } from '../backtests/stored-backtests.js';
import { backtestId, storedTimes, type BacktestIdInput } from '../backtests/stored-backtest-fields.js';
import { researchOutput } from './research-backtest.js';

export type GetRunOutput = ResearchResult & { createdAt: string; expiresAt: string };

export const getRun = defineOperation({
  id: 'get-run',
  summary: 'The whole report of a run of your own rules of the last 90 days, one of your 200 newest.',
  scope: 'user',
  tokenScope: 'read:analysis',
  isLight: true,
  input: Joi.object<BacktestIdInput>(keysOf({ id: backtestId })),
  output: researchOutput.keys(keysOf(storedTimes, 'answer')) as unknown as Joi.ObjectSchema<GetRunOutput>,
  errors: ['unknown_backtest'],
  async handle({ id }, deps, caller) {
    const { backtest, report } = await readBacktest<ResearchResult, 'research'>('research', id, deps, caller);
    const times = {
      createdAt: backtest.createdAt.toISOString(),
      expiresAt: backtest.expiresAt.toISOString(),
    };
    return { payload: { ...report, ...times } };
  },
});
