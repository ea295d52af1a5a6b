import { passwordMatches } from '../../storage/users/password.js';
import type { User } from '../../storage/users/users.js';
import type { Caller, Deps } from '../context.js';

interface PasswordCheck {
  email: string;
  password: string;
  /** Reads the user whose password it should be. */
  find: () => Promise<User | null>;
  /** What the password was given for. */
  to: 'sign in' | 'change the password' | 'delete the account';
}

/**
 * The user if the password is theirs, else null, in the same time whether there is such a user or not. A failure counts
 * against the limits of guessing, and the user sees it among the events of their account. Throws `rate_limited` after too many.
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
