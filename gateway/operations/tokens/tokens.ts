import Joi from 'joi';
import { field } from '../../../compute/model/field.js';
import { objectSchema } from '../../../jobs/definitions/shared/field-schema.js';
import type { Grant } from '../../../storage/oauth/grant-document.js';
import { tokenScopes, type TokenScope } from '../../../storage/users/token-scopes.js';
import {
  date,
  list,
  oneOf,
  text,
  flag,
  answerOf,
  type Answered,
  type ValueOf,
  shownOf,
} from '../output-fields.js';
import { fieldError } from '../../../compute/model/errors.js';
import { keepIfSignedIn } from '../../auth/session.js';
import { defineOperation } from '../../operation.js';
import { mostTokens, type PersonalToken } from '../../../storage/users/personal-tokens.js';

export const disconnectApp = defineOperation({
  id: 'disconnect-app',
  summary: 'Disconnects an app from the account and ends its tokens.',
  scope: 'user',
  cost: 0,
  input: objectSchema({
    id: field.text('id of the app', { maxLength: 100, example: '0123456789abcdef01234567' }),
  }),
  output: answerOf({ disconnected: flag('always true') }),
  errors: ['unknown_app'],
  async handle({ id }, { storage, audit }, caller) {
    const { userId } = caller.user!;
    const ended = await storage.grants.revoke(userId, id);
    if (ended) {
      audit.note('app_disconnected', userId, caller, { name: ended.clientName });
      return { payload: { disconnected: true } };
    }
    throw fieldError('id', `you have no app "${id}" connected`, 'unknown_app');
  },
});

/** A connected app as its user sees it. Times are ISO 8601, UTC. */
export type ShownApp = Answered<typeof appFields>;

const appFields = {
  id: text('id by which the app can be disconnected'),
  name: text('name that the app gives itself'),
  redirectHost: text('host that it was connected from'),
  scopes: list(oneOf(tokenScopes, 'scope'), 'what it may do'),
  created: date('when it was connected'),
  expires: date('when it is disconnected unless it is used'),
  lastUsed: date('when it was last used, to the minute; null before').allow(null),
};

const shownApp = (grant: Grant): ShownApp => ({
  ...shownOf(appFields, grant),
  name: grant.clientName,
  ...accessTimes(grant),
});

/** When something that gives access was made, ends and was used, as its user sees it. */
const accessTimes = ({
  createdAt,
  expiresAt,
  lastUsedAt,
}: Pick<PersonalToken, 'createdAt' | 'expiresAt' | 'lastUsedAt'>) => ({
  created: createdAt.toISOString(),
  expires: expiresAt.toISOString(),
  lastUsed: lastUsedAt?.toISOString() ?? null,
});

export const listApps = defineOperation({
  id: 'list-apps',
  summary: 'The apps that are connected to the account, newest first.',
  scope: 'user',
  output: answerOf({
    apps: list(answerOf(appFields), 'newest first'),
  }),
  leadsTo: [{ to: 'disconnect-app', fields: { id: 'payload/apps/0/id' } }],
  async handle(_input, { storage }, { user }) {
    const grants = await storage.grants.ofUser(user!.userId);
    return { payload: { apps: grants.map(shownApp) } };
  },
});

export const revokeToken = defineOperation({
  id: 'revoke-token',
  summary: 'Revokes a personal access token.',
  scope: 'user',
  cost: 0,
  input: objectSchema({
    id: field.text('id of the token', { maxLength: 100, example: '0123456789abcdef01234567' }),
  }),
  output: answerOf({ revoked: flag('always true') }),
  errors: ['unknown_token'],
  async handle({ id }, { storage, audit }, caller) {
    const { userId } = caller.user!;
    const token = await storage.personalTokens.revoke(userId, id);
    if (!token) throw fieldError('id', `you have no token "${id}"`, 'unknown_token');
    audit.note('token_revoked', userId, caller, { name: token.name });
    return { payload: { revoked: true } };
  },
});

/** A token as its user sees it. Times are ISO 8601, UTC. */
export type ShownToken = Answered<typeof tokenFields>;

const tokenFields = {
  id: text('id by which the token can be revoked'),
  name: text('name that its user gave it'),
  scopes: list(oneOf(tokenScopes, 'scope'), 'what it allows'),
  created: date('when it was made'),
  expires: date('when it stops working'),
  lastUsed: date('when it was last used, to the minute; null before').allow(null),
};

const shownToken = (token: PersonalToken): ShownToken => ({
  ...shownOf(tokenFields, token),
  ...accessTimes(token),
});

export type CreateTokenOutput = ValueOf<typeof createdToken>;

const createdToken = answerOf({
  ...tokenFields,
  token: text('the token, shown this once: `pat_` and 64 hexadecimal digits'),
});

const dayMs = 86_400_000;

export const createToken = defineOperation({
  id: 'create-token',
  summary: `Makes a personal access token for the MCP connector and REST; an account has at most ${mostTokens}.`,
  scope: 'user',
  needsVerified: true,
  input: Joi.object<{ name: string; scopes: TokenScope[]; expiresInDays: number }, true>({
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
  output: createdToken,
  errors: ['already_exists', 'too_many_tokens'],
  leadsTo: [{ to: 'revoke-token', fields: { id: 'payload/id' } }],
  async handle({ name, scopes, expiresInDays }, { storage, audit }, caller) {
    const { userId } = caller.user!;
    const now = Date.now();
    const expiresAt = new Date(now + expiresInDays * dayMs);
    const made = await storage.personalTokens.add({ userId, name, scopes, expiresAt }, now);
    await keepIfSignedIn(storage, caller.user!, () => storage.personalTokens.revoke(userId, made.token.id));
    audit.note('token_made', userId, caller, { name, scopes: scopes.join(' '), expiresInDays });
    return { payload: { ...shownToken(made.token), token: made.secret } };
  },
});

export const listTokens = defineOperation({
  id: 'list-tokens',
  summary: 'The personal access tokens of the account, newest first, without their secrets.',
  scope: 'user',
  output: answerOf({
    tokens: list(answerOf(tokenFields), 'newest first'),
  }),
  leadsTo: [{ to: 'revoke-token', fields: { id: 'payload/tokens/0/id' } }],
  async handle(_input, { storage }, { user }) {
    const tokens = await storage.personalTokens.ofUser(user!.userId);
    return { payload: { tokens: tokens.map(shownToken) } };
  },
});
