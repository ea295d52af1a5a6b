import Joi from 'joi';
import { AppError } from '../../../compute/model/errors.js';
import { defineOperation } from '../../operation.js';
import { flag } from '../output-fields.js';

/** Ends a personal access token, at every gateway within a second. */
export const revokeToken = defineOperation<{ id: string }, { revoked: boolean }>({
  id: 'revoke-token',
  summary: 'Revokes a personal access token.',
  scope: 'user',
  cost: 0,
  input: Joi.object<{ id: string }, true>({
    id: Joi.string().max(100).required().description('id of the token').example('0123456789abcdef01234567'),
  }),
  output: Joi.object<{ revoked: boolean }, true>({ revoked: flag('always true') }),
  errors: ['unknown_token'],
  async handle({ id }, { storage, audit }, caller) {
    const { userId } = caller.user!;
    const token = await storage.personalTokens.revoke(userId, id);
    if (!token)
      throw new AppError('unknown_token', `you have no token "${id}"`, { details: { field: 'id' } });
    audit.note('token_revoked', userId, caller, { name: token.name });
    return { payload: { revoked: true } };
  },
});
