import Joi from 'joi';
import { defineOperation } from '../../operation.js';
import { list } from '../output-fields.js';
import { shownToken, tokenFields, type ShownToken } from './token-fields.js';

interface ListTokensOutput {
  tokens: ShownToken[];
}

/** The user's personal access tokens. */
export const listTokens = defineOperation<object, ListTokensOutput>({
  id: 'list-tokens',
  summary: 'The personal access tokens of the account, newest first, without their secrets.',
  scope: 'user',
  cost: 1,
  input: Joi.object({}),
  output: Joi.object<ListTokensOutput, true>({
    tokens: list(Joi.object<ShownToken, true>(tokenFields), 'newest first'),
  }),
  leadsTo: [{ to: 'revoke-token', fields: { id: 'payload/tokens/0/id' } }],
  async handle(_input, { storage }, { user }) {
    const tokens = await storage.personalTokens.ofUser(user!.userId);
    return { payload: { tokens: tokens.map(shownToken) } };
  },
});
