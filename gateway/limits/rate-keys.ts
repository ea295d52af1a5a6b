import { connectorKey, networkKey } from '../../storage/users/limit-keys.js';
import type { SignedIn } from '../../storage/users/signed-in-directory.js';
import type { RateKey } from './rate-limits.js';

const unverified = 'all users of your network whose e-mail is not verified';

/**
 * The keys whose points the requests of a user spend. A user whose e-mail is not verified also spends the points that all such
 * users of the network and plan share. Otherwise each sign-up would add a limit.
 */
export function rateKeysOf({ plan: bucket, userId: key, isVerified }: SignedIn, network: string): RateKey[] {
  const own = { bucket, key };
  return isVerified ? [own] : [own, { bucket, key: networkKey(network), sharedBy: unverified }];
}

/** What is read when a page is opened costs at most this. Dearer work counts against the address or the plan. */
const dearestReading = 2;

/**
 * The keys of a page's readings for a visitor whose browser has a key: their own, and that of all visitors of the network. So a
 * visitor who hammers is refused alone, and one who pretends to be many is bounded.
 */
export const visitorKeysOf = (network: string, browser: string, cost: number): RateKey[] | null =>
  cost > dearestReading
    ? null
    : [
        { bucket: 'pages', key: `${network} ${browser}` },
        { bucket: 'visitors', key: network, sharedBy: 'all visitors of your network' },
      ];

/** The same for a signed-in browser: an account must not be able to open fewer pages than a visitor. */
export const readerKeysOf = ({ plan, userId: key }: SignedIn, cost: number): RateKey[] | null =>
  plan === 'free' && cost > 0 && cost <= dearestReading ? [{ bucket: 'pages', key }] : null;

/**
 * The keys of requests to the connector that cost no points. They are counted apart from those over REST, so that a client
 * that lists without end does not block other requests of its user.
 */
export const connectorKeysOf = (user: SignedIn, network: string): RateKey[] =>
  rateKeysOf(user, network).map(({ key, ...rest }) => ({
    ...rest,
    bucket: 'unpriced',
    key: connectorKey(key),
  }));

/**
 * The key of requests over REST that cost no points. Users never share it, even if their e-mail is not verified: other users must
 * not be able to block a halt of trading.
 */
export const unpricedKeysOf = ({ userId: key }: SignedIn): RateKey[] => [{ bucket: 'unpriced', key }];
