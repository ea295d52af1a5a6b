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
