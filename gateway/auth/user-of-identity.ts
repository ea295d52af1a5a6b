import { AppError } from '../../compute/model/errors.js';
import { emailAddress } from '../../storage/users/email.js';
import { endAccess } from '../../storage/users/end-access.js';
import type { Storage } from '../../storage/index.js';
import type { User } from '../../storage/users/users.js';
import type { IdClaims } from './id-tokens.js';

/**
 * The user of an identity: the one it has signed in before, whatever its e-mail is now; else the one who has its verified
 * e-mail; else a new one with plan free. Throws `forbidden` where only an unverified e-mail could tell.
 */
export async function userOfIdentity(claims: IdClaims, storage: Storage): Promise<User> {
  const { users, identities } = storage;
  const userId = await identities.userIdOf(claims);
  const known = userId === null ? null : await users.byId(userId);
  if (known) return known;
  const email = verifiedEmail(claims);
  const user = (await claimedUser(email, storage)) ?? (await newUser(email, storage));
  await identities.link(claims, user.id);
  return user;
}

function verifiedEmail({ email, emailVerified }: IdClaims): string {
  if (email === null || !emailVerified)
    throw new AppError('forbidden', 'the identity provider has not verified an e-mail for this account');
  if (emailAddress.validate(email).error)
    throw new AppError('forbidden', 'the e-mail of the identity provider is not usable here');
  return email;
}

/**
 * The user who has the e-mail; null if nobody has. Whoever signed up with it without proof loses what they hold: it is the
 * owner of the e-mail who comes now.
 */
async function claimedUser(email: string, storage: Storage): Promise<User | null> {
  const user = await storage.users.byEmail(email);
  if (!user || user.emailVerified) return user;
  await endAccess(storage, user.id);
  await storage.users.claim(user.id);
  // And once more, for what was opened meanwhile.
  await endAccess(storage, user.id);
  return storage.users.byEmail(email);
}

async function newUser(email: string, storage: Storage): Promise<User> {
  try {
    return await storage.users.add({ email, plan: 'free', passwordHash: null });
  } catch (error) {
    // The same person signs in twice at the same moment.
    const user =
      error instanceof AppError && error.code === 'already_exists' && (await claimedUser(email, storage));
    if (!user) throw error;
    return user;
  }
}
