import Joi from 'joi';
import { AppError } from '../../../compute/model/errors.js';
import { defineOperation } from '../../operation.js';
import { flag } from '../output-fields.js';

/** Disconnects an app: its tokens end at every gateway within a second. */
export const disconnectApp = defineOperation<{ id: string }, { disconnected: boolean }>({
  id: 'disconnect-app',
  summary: 'Disconnects an app from the account and ends its tokens.',
  scope: 'user',
  cost: 0,
  input: Joi.object<{ id: string }, true>({
    id: Joi.string().max(100).required().description('id of the app').example('0123456789abcdef01234567'),
  }),
  output: Joi.object<{ disconnected: boolean }, true>({ disconnected: flag('always true') }),
  errors: ['unknown_app'],
  async handle({ id }, { storage, audit }, caller) {
    const { userId } = caller.user!;
    const ended = await storage.grants.revoke(userId, id);
    if (ended) {
      audit.note('app_disconnected', userId, caller, { name: ended.clientName });
      return { payload: { disconnected: true } };
    }
    throw new AppError('unknown_app', `you have no app "${id}" connected`, { details: { field: 'id' } });
  },
});
