import { AppError } from '../../compute/model/errors.js';
import { emailAddress } from '../../storage/users/email.js';
import { givenPassword, passwordMatches } from '../../storage/users/password.js';
import type { User } from '../../storage/users/users.js';
import type { Caller, Deps } from '../context.js';

export interface Credentials {
  email: string;
  password: string;
}

/** The input of every way to sign in with a password. */
export const credentialInput = {
  email: emailAddress.required().description('e-mail of the account'),
  password: givenPassword.required().example('a long password').description('password of the account'),
};

/** The user with that e-mail and password. Throws `unauthorized`, or `rate_limited` after too many failures. */
export async function checkCredentials(
  { email, password }: Credentials,
  deps: Pick<Deps, 'storage' | 'logins' | 'audit'>,
  caller: Pick<Caller, 'address' | 'client' | 'signal'>,
): Promise<User> {
  const find = () => deps.storage.users.byEmail(email);
  const user = await checkPassword({ email, password, find, to: 'sign in' }, deps, caller);
  if (!user) throw new AppError('unauthorized', 'e-mail or password is wrong');
  return user;
}

interface PasswordCheck {
  email: string;
  password: string;
  /** Reads the user whose password is checked. */
  find: () => Promise<User | null>;
  /** What the password was given for. */
  to: 'sign in' | 'change the password' | 'delete the account';
}

/**
 * The user if the password is right, else null. It takes the same time whether or not the user exists. A failure counts
 * against the limits of guessing and is listed among the events of the account. Throws `rate_limited` after too many failures.
 */
export async function checkPassword(
  { email, password, find, to }: PasswordCheck,
  { logins, audit }: Pick<Deps, 'logins' | 'audit'>,
  caller: Pick<Caller, 'address' | 'client' | 'signal'>,
): Promise<User | null> {
  const { address, signal } = caller;
  return logins.attempt({ email, address, signal }, async () => {
    const user = await find();
    if (await passwordMatches(password, user?.passwordHash ?? null)) return user;
    if (user) audit.note('failed_sign_in', user.id, caller, { to });
    return null;
  });
}
