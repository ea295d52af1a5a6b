import { field } from '../../../compute/model/field.js';
import { clientKinds, mostSessions } from '../../../storage/users/sessions.js';
import type { PersonalToken } from '../../../storage/users/personal-tokens.js';
import { plans } from '../../../storage/users/users.js';
import { usageFields, usageOf, usedOf } from './get-usage.js';
import { describedOperation } from '../analysis/described-operation.js';

const accessFields = (name: string) => ({
  name: field.text(name),
  scopes: field.list('what it may do', field.text('a scope')),
  createdAt: field.time('when it was created'),
  lastUsedAt: field.nullable(field.time('when it was used last; null if it never was')),
  expiresAt: field.nullable(field.time('when it expires; null: never')),
});

const sessionFields = {
  client: field.choice('kind of client that opened it', clientKinds),
  createdAt: field.time('when it was opened'),
  expiresAt: field.time('when it expires'),
  isCurrent: field.flag('whether this request uses it'),
};

const output = {
  email: field.text('e-mail of the account'),
  isVerified: field.flag('whether the e-mail is known to be yours; until then your network shares one limit'),
  plan: field.choice('plan', plans),
  ...usageFields,
  sessionCount: field.object(
    'open sessions; another one ends the oldest',
    usedOf('sessions that are open', 'most at the same time'),
  ),
  sessions: field.list('the latest first', field.object('a session', sessionFields)),
  tokens: field.list(
    'personal access tokens; their values are never shown',
    field.object('a token', accessFields('name that its owner gave it')),
  ),
  apps: field.list(
    'connected apps; each use of one puts its expiry off',
    field.object('an app', accessFields('name that it gives itself')),
  ),
};

export const getAccountAccess = describedOperation({
  id: 'get-account-access',
  summary:
    'Your plan, limits and usage so far, your open sessions, and the access tokens and connected apps of the account.',
  scope: 'user',
  tokenScope: 'read:portfolio',
  output,
  async handle(_input, deps, { user }) {
    const { userId, sessionId, email, plan, isVerified } = user!;
    const [usage, sessions, tokens, grants] = await Promise.all([
      usageOf(user!, deps),
      deps.storage.sessions.ofUser(userId),
      deps.storage.personalTokens.ofUser(userId),
      deps.storage.grants.ofUser(userId),
    ]);
    return {
      payload: {
        email,
        isVerified,
        plan,
        ...usage,
        sessionCount: { used: sessions.length, limit: mostSessions },
        sessions: sessions.map(({ id, client, createdAt, expiresAt }) => ({
          client,
          createdAt: createdAt.getTime(),
          expiresAt: expiresAt.getTime(),
          isCurrent: id === sessionId,
        })),
        tokens: tokens.map(shownAccess),
        apps: grants.map(({ clientName: name, ...rest }) => shownAccess({ name, ...rest })),
      },
    };
  },
});

type Access = Pick<PersonalToken, 'name' | 'scopes' | 'createdAt' | 'lastUsedAt' | 'expiresAt'>;

const shownAccess = ({ name, scopes, createdAt, lastUsedAt, expiresAt }: Access) => ({
  name,
  scopes,
  createdAt: createdAt.getTime(),
  lastUsedAt: lastUsedAt?.getTime() ?? null,
  expiresAt: expiresAt.getTime(),
});
