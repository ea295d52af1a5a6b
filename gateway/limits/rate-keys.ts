import { networkKey } from '../../storage/users/limit-keys.js';
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
