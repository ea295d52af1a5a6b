import type { Redis } from 'ioredis';
import { attemptPrefix } from './attempt-counter.js';
import { networkOf } from './client-network.js';
import { loginKeys, mailLimitKeys, registrationKey, signUpKey } from './login-keys.js';
import type { Settings } from '../process/settings.js';
import { plans, type Plan, type User } from './users.js';

/**
 * What a rate limit counts: requests of users by plan, of addresses without an account (`guest`), what pages read in one browser
 * (`pages`) and in all browsers of a network without an account (`visitors`), of addresses at /v3/ai
 * (`signed`), of those at /v3/ai without a signature (`agent`), of hosted assistants at /mcp (`hosted`), failed ones at /token
 * and /revoke (`oauth`), those that cost no points (`unpriced`), and of partners: new signals (`signals`) and all else
 * (`commands`).
 */
export type RateBucket =
  | Plan
  | 'guest'
  | 'pages'
  | 'visitors'
  | 'signed'
  | 'agent'
  | 'hosted'
  | 'oauth'
  | 'unpriced'
  | 'signals'
  | 'commands';

/** So many busy visitors may share a network; a hostile one who pretends to be many takes no more from the service. */
const visitorsOfNetwork = 8;

/** The points per minute of each bucket. */
export const pointsPerMinute = (settings: Settings): Record<RateBucket, number> => ({
  free: settings.RATE_FREE,
  plus: settings.RATE_PLUS,
  pro: settings.RATE_PRO,
  guest: settings.RATE_GUEST,
  pages: settings.RATE_PAGES,
  visitors: settings.RATE_PAGES * visitorsOfNetwork,
  signed: settings.RATE_SIGNED,
  agent: settings.RATE_AGENT,
  hosted: settings.RATE_HOSTED,
  oauth: settings.RATE_OAUTH,
  unpriced: settings.RATE_UNPRICED,
  signals: settings.RATE_SIGNALS,
  commands: settings.RATE_COMMANDS,
});

/** The Redis keys of a bucket begin with this prefix and a colon. */
export const ratePrefix = (bucket: RateBucket) => `tidemark:rate:${bucket}`;

/** The key, in the bucket of a plan, of all users of a network whose e-mail is not verified. */
export const networkKey = (network: string) => `network:${network}`;

/** The key, in the bucket `unpriced`, of requests to the connector by the owner of another key. */
export const connectorKey = (key: string) => `mcp:${key}`;

/** One counter in Redis and its limit. */
export interface LimitKey {
  kind: 'points' | 'attempts';
  /** A description of the counter. */
  what: string;
  key: string;
  limit: number;
}

const unlimited = Number.POSITIVE_INFINITY;

/** All counters of a user. */
export async function limitsOfUser(redis: Redis, user: User, settings: Settings): Promise<LimitKey[]> {
  const { id, email, plan } = user;
  const points = { what: `points of plan ${plan}`, key: `${ratePrefix(plan)}:${id}` };
  const limits = pointsPerMinute(settings);
  const unpriced = unpricedOf(limits);
  return [
    { kind: 'points', ...points, limit: limits[plan] },
    unpriced('requests without points', id),
    unpriced('requests without points to /mcp', connectorKey(id)),
    attempts('failed sign-ins from anywhere', loginKeys.account(email), unlimited),
    attempts('mails that tell of a change', mailLimitKeys.told(email), unlimited),
    ...(await pairs(redis, mailLimitKeys.recipient(email, '*'), mailsFrom)),
    ...(await pairs(redis, loginKeys.both(email, '*'), failuresFrom(settings))),
  ];
}

/** All counters of an address. */
export async function limitsOfAddress(
  redis: Redis,
  address: string,
  settings: Settings,
): Promise<LimitKey[]> {
  const network = networkOf(address);
  const limits = pointsPerMinute(settings);
  const points = (['guest', 'visitors', 'signed', 'agent', 'oauth', 'unpriced'] as const).map(
    (bucket): LimitKey => {
      const key = `${ratePrefix(bucket)}:${network}`;
      return { kind: 'points', what: `points as ${bucket}`, key, limit: limits[bucket] };
    },
  );
  const unverified = plans.map((plan): LimitKey => {
    const key = `${ratePrefix(plan)}:${networkKey(network)}`;
    return { kind: 'points', what: `points of unverified users with plan ${plan}`, key, limit: limits[plan] };
  });
  const atAny = attempts(
    'failed sign-ins at any account',
    loginKeys.address(address),
    settings.LOGIN_FAILURES_ADDRESS,
  );
  const signUps = attempts('sign-ups', signUpKey(address), unlimited);
  const askedMails = attempts('mails asked for', mailLimitKeys.address(address), unlimited);
  const registrations = attempts('registrations of apps', registrationKey(address), unlimited);
  return [
    ...points,
    unpricedOf(limits)(
      'requests without points to /mcp of unverified users',
      connectorKey(networkKey(network)),
    ),
    ...unverified,
    atAny,
    signUps,
    askedMails,
    registrations,
    ...(await pairs(redis, `mail:to:*:${network}`, mailsFrom)),
    ...(await pairs(redis, `login:both:*:${network}`, failuresFrom(settings))),
  ];
}

const unpricedOf =
  ({ unpriced: limit }: Pick<Record<RateBucket, number>, 'unpriced'>) =>
  (what: string, key: string): LimitKey => ({
    kind: 'points',
    what,
    key: `${ratePrefix('unpriced')}:${key}`,
    limit,
  });

const attempts = (what: string, key: string, limit: number): LimitKey => ({
  kind: 'attempts',
  what,
  key: attemptPrefix + key,
  limit,
});

/** A counter for one account from one network. */
type Pair = Pick<LimitKey, 'what' | 'limit'>;

const mailsFrom: Pair = { what: 'mails to one account asked for from', limit: unlimited };
const failuresFrom = ({ LOGIN_FAILURES: limit }: Settings): Pair => ({
  what: 'failed sign-ins at one account from',
  limit,
});

/** The counters for one account from one network whose keys match the pattern. */
async function pairs(redis: Redis, pattern: string, { what, limit }: Pair): Promise<LimitKey[]> {
  const found = new Set<string>();
  let cursor = '0';
  do {
    const [next, keys] = await redis.scan(cursor, 'MATCH', attemptPrefix + pattern, 'COUNT', 1_000);
    for (const key of keys) found.add(key.slice(attemptPrefix.length));
    cursor = next;
  } while (cursor !== '0');
  return [...found].sort().map((key) => {
    const address = key.split(':').slice(3).join(':');
    return attempts(`${what} ${address}`, key, limit);
  });
}
