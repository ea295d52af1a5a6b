import Joi from 'joi';
import { keysOf } from '../../../jobs/definitions/shared/field-schema.js';
import { defineOperation } from '../../operation.js';
import { backtestId, unknownBacktest, type BacktestIdInput } from './stored-backtest-fields.js';

/** Deletes a stored backtest of the user. */
export const deleteBacktest = defineOperation<BacktestIdInput, BacktestIdInput>({
  id: 'delete-backtest',
  summary: 'Deletes a stored backtest.',
  scope: 'user',
  tokenScope: 'write:strategies',
  cost: 1,
  input: Joi.object<BacktestIdInput>(keysOf({ id: backtestId })),
  output: Joi.object<BacktestIdInput>(keysOf({ id: backtestId }, 'answer')),
  errors: ['unknown_backtest'],
  async handle({ id }, { storage, backtestWriter }, { user }) {
    const { userId } = user!;
    await backtestWriter.settled(userId);
    if (!(await storage.backtests.remove(userId, id))) throw unknownBacktest(id);
    return { payload: { id } };
  },
});
