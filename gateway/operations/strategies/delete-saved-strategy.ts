import Joi from 'joi';
import { defineOperation } from '../../operation.js';
import { flag } from '../output-fields.js';
import { strategyId } from './saved-strategy-fields.js';

/** Deletes a strategy of the user. */
export const deleteSavedStrategy = defineOperation<{ id: string }, { deleted: boolean }>({
  id: 'delete-saved-strategy',
  summary: 'Deletes a saved strategy with all versions; shared ones are shared no longer.',
  scope: 'user',
  tokenScope: 'write:strategies',
  cost: 1,
  input: Joi.object<{ id: string }, true>({ id: strategyId }),
  output: Joi.object<{ deleted: boolean }, true>({ deleted: flag('always true') }),
  errors: ['unknown_strategy'],
  async handle({ id }, { storage }, { user }) {
    await storage.savedStrategies.remove(user!.userId, id);
    return { payload: { deleted: true } };
  },
});
