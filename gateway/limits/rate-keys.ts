import { connectorKey, networkKey } from '../../storage/users/limit-keys.js';
import type { SignedIn } from '../../storage/users/signed-in-directory.js';
import type { RateKey } from './rate-limits.js';

const unverified = 'all users of your network whose e-mail is not verified';

/**
 * What the requests of a user draw on. A user whose e-mail is not verified also draws on the points of all such users of
 * their network and plan: else sign-ups would multiply the limit.
 */
export function rateKeysOf({ plan: bucket, userId: key, isVerified }: SignedIn, network: string): RateKey[] {
  const own = { bucket, key };
  return isVerified ? [own] : [own, { bucket, key: networkKey(network), sharedBy: unverified }];
}

/**
 * What requests of a user to the connector draw on that cost no points. They are counted apart from those over REST: a client
 * that asks for lists without end keeps its user from nothing else.
 */
export const connectorKeysOf = (user: SignedIn, network: string): RateKey[] =>
  rateKeysOf(user, network).map(({ key, ...rest }) => ({
    ...{ ...rest, bucket: 'unpriced', key: connectorKey(key) },
  }));

/**
 * What requests of a user over REST draw on that cost no points. No other user shares it, not even one without a verified
 * e-mail: a halt of trading must not fail because of others.
 */
export const unpricedKeysOf = ({ userId: key }: SignedIn): RateKey[] => [{ bucket: 'unpriced', key }];
