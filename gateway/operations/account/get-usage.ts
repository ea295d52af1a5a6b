import { field } from '../../../compute/model/field.js';
import { mostTokens } from '../../../storage/users/personal-tokens.js';
import { mostSessions } from '../../../storage/users/sessions.js';
import { plans } from '../../../storage/users/users.js';
import { describedOperation } from '../analysis/described-operation.js';
import { usageFields, usageOf, usedOf } from './usage-fields.js';

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

/** What the account has used of its limits. */
export const getUsage = describedOperation({
  id: 'get-usage',
  summary:
    'Your plan, your requests of today, and what you have used of your points, backtests, sessions and tokens.',
  scope: 'user',
  tokenScope: 'read:portfolio',
  cost: 1,
  input: {},
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
