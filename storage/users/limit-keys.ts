import type { Redis } from 'ioredis';
import { attemptPrefix } from './attempt-counter.js';
import { networkOf } from './client-network.js';
import { loginKeys, signUpKey } from './login-keys.js';
import type { Settings } from '../process/settings.js';
import type { Plan, User } from './users.js';

/**
 * Whose points are counted: those of users by plan, of addresses without an account, of addresses at /v3/ai, and of those
 * there that come without a signature.
 */
export type RateBucket = Plan | 'guest' | 'signed' | 'agent';

/** The points of a minute, by whose they are. */
export const pointsPerMinute = (settings: Settings): Record<RateBucket, number> => ({
  free: settings.RATE_FREE,
  plus: settings.RATE_PLUS,
  pro: settings.RATE_PRO,
  guest: settings.RATE_GUEST,
  signed: settings.RATE_SIGNED,
  agent: settings.RATE_AGENT,
});

/** Redis keys of a bucket begin with this and a colon. */
export const ratePrefix = (bucket: RateBucket) => `tidemark:rate:${bucket}`;

/** What counts towards one limit. */
export interface LimitKey {
  kind: 'points' | 'attempts';
  /** What is counted, in words. */
  what: string;
  key: string;
  limit: number;
}

const shared = Number.POSITIVE_INFINITY;

/** Everything that is counted for a user. */
export async function limitsOfUser(redis: Redis, user: User, settings: Settings): Promise<LimitKey[]> {
  const { id, email, plan } = user;
  const points = { what: `points of plan ${plan}`, key: `${ratePrefix(plan)}:${id}` };
  return [
    { kind: 'points', ...points, limit: pointsPerMinute(settings)[plan] },
    attempts('failed sign-ins from anywhere', loginKeys.account(email), shared),
    ...(await pairs(redis, loginKeys.both(email, '*'), settings)),
  ];
}

/** Everything that is counted for an address. */
export async function limitsOfAddress(
  redis: Redis,
  address: string,
  settings: Settings,
): Promise<LimitKey[]> {
  const network = networkOf(address);
  const buckets = ['guest', 'signed', 'agent'] as const;
  const points = buckets.map((bucket): LimitKey => {
    const key = `${ratePrefix(bucket)}:${network}`;
    return { kind: 'points', what: `points as ${bucket}`, key, limit: pointsPerMinute(settings)[bucket] };
  });
  const atAny = attempts(
    'failed sign-ins at any account',
    loginKeys.address(address),
    settings.LOGIN_FAILURES_ADDRESS,
  );
  const signUps = attempts('sign-ups', signUpKey(address), shared);
  return [...points, atAny, signUps, ...(await pairs(redis, `login:both:*:${network}`, settings))];
}

const attempts = (what: string, key: string, limit: number): LimitKey => ({
  kind: 'attempts',
  what,
  key: attemptPrefix + key,
  limit,
});

/** What is counted for one account from one address, wherever a pattern finds it. */
async function pairs(redis: Redis, pattern: string, settings: Settings): Promise<LimitKey[]> {
  const found = new Set<string>();
  let cursor = '0';
  do {
    const [next, keys] = await redis.scan(cursor, 'MATCH', attemptPrefix + pattern, 'COUNT', 1_000);
    for (const key of keys) found.add(key.slice(attemptPrefix.length));
    cursor = next;
  } while (cursor !== '0');
  return [...found].sort().map((key) => {
    const address = key.split(':').slice(3).join(':');
    return attempts(`failed sign-ins at one account from ${address}`, key, settings.LOGIN_FAILURES);
  });
}
