import { field, type Values } from '../../../compute/model/field.js';
import { mostTokens } from '../../../storage/users/personal-tokens.js';
import { mostSessions } from '../../../storage/users/sessions.js';
import { plans } from '../../../storage/users/users.js';
import { describedOperation } from '../analysis/described-operation.js';
import { mostBacktests } from '../../../storage/backtests/backtests.js';
import type { SignedIn } from '../../../storage/users/signed-in-directory.js';
import type { Deps } from '../../context.js';

/** How many of something are used, and the limit. */
export const usedOf = (what: string, most: string) => ({
  used: field.count(what),
  limit: field.count(most),
});

export const usageFields = {
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
export async function usageOf(
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
