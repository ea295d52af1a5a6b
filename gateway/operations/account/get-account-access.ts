import { field, type Values } from '../../../compute/model/field.js';
import { mostTokens, type PersonalToken } from '../../../storage/users/personal-tokens.js';
import { mostSessions, clientKinds } from '../../../storage/users/sessions.js';
import { plans } from '../../../storage/users/users.js';
import { describedOperation } from '../analysis/described-operation.js';
import { mostBacktests } from '../../../storage/backtests/backtests.js';
import type { SignedIn } from '../../../storage/users/signed-in-directory.js';
import type { Deps } from '../../context.js';

/** How many of something are used, and the limit. */
const usedOf = (what: string, most: string) => ({
  used: field.count(what),
  limit: field.count(most),
});

const usageFields = {
  points: field.object('points of requests in the current minute, this one included', {
    limit: field.count('points per minute'),
    used: field.count('points that are spent'),
    remaining: field.count('points that are left'),
    resetSeconds: field.count('seconds until all points are available again'),
  }),
  backtests: field.object(
    'stored backtests; the oldest makes room for a new one, and each is kept for 90 days',
    usedOf('backtests that are stored', 'most that are stored'),
  ),
};

/** What the user has used of the limits of points and of stored backtests. */
async function usageOf(
  { userId, plan }: SignedIn,
  { storage, limits, backtestWriter }: Pick<Deps, 'storage' | 'limits' | 'backtestWriter'>,
): Promise<Values<typeof usageFields>> {
  await backtestWriter.settled(userId);
  const [points, stored] = await Promise.all([
    limits.read({ bucket: plan, key: userId }),
    storage.backtests.count(userId, 'builtIn'),
  ]);
  return {
    points: { ...points, used: points.limit - points.remaining },
    backtests: { used: stored, limit: mostBacktests },
  };
}

const today = {
  day: field.text('the day in UTC, as in 2026-01-31'),
  requests: field.count('requests that were answered, this one included'),
  points: field.count('points that they have cost'),
};

const output = {
  plan: field.choice('plan, which sets the points per minute', plans),
  ...usageFields,
  today: field.nullable(
    field.object(
      'requests of the day, which have no limit of their own; null while they are not known',
      today,
    ),
  ),
  sessions: field.object(
    'open sessions; another one ends the oldest',
    usedOf('sessions that are open', 'most at the same time'),
  ),
  tokens: field.object(
    'personal access tokens',
    usedOf('tokens that have not expired', 'most at the same time'),
  ),
};

export const getUsage = describedOperation({
  id: 'get-usage',
  summary:
    'Your plan, your requests of today, and what you have used of your points, backtests, sessions and tokens.',
  scope: 'user',
  tokenScope: 'read:portfolio',
  output,
  async handle(_input, deps, { user }) {
    const { userId, plan } = user!;
    const { sessions, personalTokens } = deps.storage;
    const [usage, requested, open, tokens] = await Promise.all([
      usageOf(user!, deps),
      deps.usage.today(userId),
      sessions.ofUser(userId),
      personalTokens.ofUser(userId),
    ]);
    return {
      payload: {
        plan,
        ...usage,
        today: requested,
        sessions: { used: open.length, limit: mostSessions },
        tokens: { used: tokens.length, limit: mostTokens },
      },
    };
  },
});

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

const getAccountAccessOutput = {
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
  output: getAccountAccessOutput,
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
