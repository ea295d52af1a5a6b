import { AppError } from '../../compute/model/errors.js';
import { emailAddress } from '../../storage/users/email.js';
import { takeAccount } from '../../storage/users/take-account.js';
import type { Storage } from '../../storage/index.js';
import type { User } from '../../storage/users/users.js';
import type { IdClaims } from './id-tokens.js';

/**
 * The user of an identity: the user linked to it by an earlier sign-in; else the user with its verified e-mail; else a new
 * user with plan free. Throws `forbidden` if the identity is not linked and its e-mail is not verified or not usable.
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
 * The user with the e-mail, or null. An account that signed up with the e-mail without verifying it is handed to the
 * identity, whose e-mail is verified: its password and all else that a stranger may have set up end.
 */
async function claimedUser(email: string, storage: Storage): Promise<User | null> {
  const user = await storage.users.byEmail(email);
  if (!user || user.emailVerifiedAt) return user;
  await takeAccount(storage, { userId: user.id, email: user.email }, { dropsPassword: true });
  return storage.users.byEmail(email);
}

async function newUser(email: string, storage: Storage): Promise<User> {
  try {
    return await storage.users.add({ email, plan: 'free', passwordHash: null });
  } catch (error) {
    // Another sign-in of the same identity has just added the user.
    const user =
      error instanceof AppError && error.code === 'already_exists' && (await claimedUser(email, storage));
    if (!user) throw error;
    return user;
  }
}
