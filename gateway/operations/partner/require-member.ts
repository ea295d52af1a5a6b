import { AppError } from '../../../compute/model/errors.js';
import type { Partner } from '../../../storage/users/partners.js';
import type { SignedIn } from '../../../storage/users/signed-in-directory.js';
import type { Deps } from '../../context.js';

/** The partner that a user acts for. Throws `forbidden` where there is none. */
export async function requireMember(
  { userId }: Pick<SignedIn, 'userId'>,
  { storage }: Pick<Deps, 'storage'>,
): Promise<Partner> {
  const partner = await storage.partners.ofMember(userId);
  if (partner) return partner;
  throw new AppError('forbidden', 'you act for no partner: the operator of the service adds members');
}
