import Joi from 'joi';
import { mostTokens } from '../../../storage/users/personal-tokens.js';
import { tokenScopes, type TokenScope } from '../../../storage/users/token-scopes.js';
import { defineOperation } from '../../operation.js';
import { text } from '../output-fields.js';
import { shownToken, tokenFields, type ShownToken } from './token-fields.js';

interface CreateTokenInput {
  name: string;
  scopes: TokenScope[];
  expiresInDays: number;
}

export interface CreateTokenOutput extends ShownToken {
  /** The secret. It is shown this once. */
  token: string;
}

const dayMs = 86_400_000;

/** Makes a personal access token for clients that cannot open a browser. */
export const createToken = defineOperation<CreateTokenInput, CreateTokenOutput>({
  id: 'create-token',
  summary: `Makes a personal access token for the MCP connector and REST; an account has at most ${mostTokens}.`,
  scope: 'user',
  needsVerified: true,
  cost: 1,
  input: Joi.object<CreateTokenInput, true>({
    name: Joi.string()
      .trim()
      .min(1)
      .max(60)
      .pattern(/^[^\p{C}]+$/u, 'text without control characters')
      .required()
      .description('name of the token; each of your tokens has a different one')
      .example('laptop'),
    scopes: Joi.array()
      .items(Joi.string().valid(...tokenScopes))
      .unique()
      .min(1)
      .default([...tokenScopes])
      .description('what it allows'),
    expiresInDays: Joi.number()
      .integer()
      .min(1)
      .max(365)
      .default(90)
      .description('days until it stops working'),
  }),
  output: Joi.object<CreateTokenOutput, true>({
    ...tokenFields,
    token: text('the token, shown this once: `pat_` and 64 hexadecimal digits'),
  }),
  errors: ['already_exists', 'too_many_tokens'],
  leadsTo: [{ to: 'revoke-token', fields: { id: 'payload/id' } }],
  async handle({ name, scopes, expiresInDays }, { storage, audit }, caller) {
    const { userId } = caller.user!;
    const now = Date.now();
    const expiresAt = new Date(now + expiresInDays * dayMs);
    const made = await storage.personalTokens.add({ userId, name, scopes, expiresAt }, now);
    audit.note('token_made', userId, caller, { name, scopes: scopes.join(' '), expiresInDays });
    return { payload: { ...shownToken(made.token), token: made.secret } };
  },
});
