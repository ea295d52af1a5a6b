import Joi from 'joi';
import type { Grant } from '../../../storage/oauth/grant-document.js';
import { tokenScopes } from '../../../storage/users/token-scopes.js';
import { date, list, oneOf, text, flag, answerOf, type Answered } from '../output-fields.js';
import { fieldError } from '../../../compute/model/errors.js';
import { defineOperation } from '../../operation.js';

export const disconnectApp = defineOperation({
  id: 'disconnect-app',
  summary: 'Disconnects an app from the account and ends its tokens.',
  scope: 'user',
  cost: 0,
  input: Joi.object<{ id: string }, true>({
    id: Joi.string().max(100).required().description('id of the app').example('0123456789abcdef01234567'),
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

const shownApp = ({
  id,
  clientName,
  redirectHost,
  scopes,
  createdAt,
  expiresAt,
  lastUsedAt,
}: Grant): ShownApp => ({
  id,
  name: clientName,
  redirectHost,
  scopes,
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
