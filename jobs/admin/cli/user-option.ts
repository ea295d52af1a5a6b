import { AppError } from '../../../compute/model/errors.js';
import type { Storage } from '../../../storage/index.js';
import { emailAddress } from '../../../storage/users/email.js';
import type { User } from '../../../storage/users/users.js';
import { readBy, required } from './command-option.js';

export const emailReader = readBy(emailAddress);

export const userOption = required({
  value: 'address',
  meaning: 'e-mail address of the user',
  read: emailReader,
});

/** The user with this e-mail address. Throws `invalid_command` if there is none. */
export async function findUser(email: string, { users }: Pick<Storage, 'users'>): Promise<User> {
  const user = await users.byEmail(email);
  if (!user) throw new AppError('invalid_command', `there is no user "${email}"`);
  return user;
}
