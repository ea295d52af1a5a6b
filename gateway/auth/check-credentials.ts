import { AppError } from '../../compute/model/errors.js';
import { emailAddress } from '../../storage/users/email.js';
import { givenPassword } from '../../storage/users/password.js';
import type { User } from '../../storage/users/users.js';
import type { Caller, Deps } from '../context.js';
import { checkPassword } from './check-password.js';

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
