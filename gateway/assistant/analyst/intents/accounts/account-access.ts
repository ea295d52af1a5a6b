import type { getAccountAccess } from '../../../../operations/account/get-account-access.js';
import { writeCount, writeDate } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { counted, firstOf } from '../../market-words.js';
import type { OutputOf } from '../../output-of.js';
import { quotedName } from '../../quoted-name.js';

type AccountAccess = OutputOf<typeof getAccountAccess>;

type Grant = AccountAccess['tokens'][number];

const mostTold = 5;

export const accountAccessIntent = defineIntent<AccountAccess>({
  name: 'account-access',
  title: 'your plan, limits and usage, and who has access to your account',
  tool: 'get_account_access',
  phrases: [
    'what plan am i on',
    'how many requests do i have left',
    'which apps can see my account',
    'when does my access token expire',
    'my rate limits',
    'who has access to my account',
    'connected apps',
    'list my access tokens',
    'how much of my limit did i use',
    'where am i signed in',
    'is my email verified',
    'my subscription plan and usage',
    'open sessions of my account',
    'am i on the free plan',
    'which tokens have i got',
    'when do my tokens run out',
    'which devices am i logged in on',
    'did i verify my email',
    'what may the connected apps do',
    'which programs use my account',
    'which tier do i have',
    'what does my plan include',
    'how many sessions are open',
    'when was my token last used',
    'how many requests have i got left on my plan',
    'list my tokens',
    'which limits does my plan have',
    'which sessions are open',
    'what can i do on my plan',
    'how many tokens have i created',
    'what scopes do my tokens have',
    'when do my tokens expire',
    'my usage so far',
    'connected apps please',
    'how much of my rate limit have i used',
    'which apps can get into my account',
    'scopes and expiry of my access tokens',
  ],
  needs: {},
  takes: [],
  yields: ['declined-secret'],
  args: () => ({}),
  answer: ({ plan, points, backtests, sessionCount, tokens, apps, isVerified }) => ({
    lead: `You are on the ${plan} plan, with ${writeCount(points.remaining)} of ${counted(points.limit, 'point')} left this minute.`,
    figures: [
      ...grantWords(tokens, 'access token'),
      ...grantWords(apps, 'connected app'),
      ...(tokens.length + apps.length === 0 ? ['There are no access tokens and no connected apps.'] : []),
      `Open sessions: ${writeCount(sessionCount.used)}; stored backtests: ${writeCount(backtests.used)} of ${writeCount(backtests.limit)}.`,
    ],
    caveat: isVerified
      ? 'The values of tokens are never shown.'
      : 'Your e-mail is not verified yet, so your network shares one limit.',
  }),
});

function grantWords(grants: readonly Grant[], what: string): string[] {
  if (grants.length === 0) return [];
  const intro = grants.length === 1 ? `The ${what} is` : `The ${what}s are`;
  return [`${intro} ${firstOf(grants.map(oneGrant), mostTold)}.`];
}

const oneGrant = ({ name, expiresAt, lastUsedAt }: Grant): string =>
  `${quotedName(name)} (${expiresAt === null ? 'never expires' : `expires on ${writeDate(expiresAt)}`}, ${lastUsedAt === null ? 'never used' : `last used on ${writeDate(lastUsedAt)}`})`;
