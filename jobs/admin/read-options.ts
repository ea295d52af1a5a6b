import Joi from 'joi';
import { AppError } from '../../compute/model/errors.js';
import { emailAddress } from '../../storage/users/email.js';
import type { Storage } from '../../storage/index.js';
import { chosenPassword } from '../../storage/users/password.js';
import type { User } from '../../storage/users/users.js';
import type { CommandContext } from './command.js';

/** The options of a command as its schema wants them. Throws `invalid_command`, without a password in it. */
export function readOptions<T>(schema: Joi.ObjectSchema<T>, options: object): T {
  const checked = schema.validate(options);
  if (checked.error) throw new AppError('invalid_command', checked.error.message);
  return checked.value;
}

const passwordSchema = Joi.object<{ password: string }, true>({ password: chosenPassword.required() });

/** The password that was given, or else the first line of standard input. Throws `invalid_command` if it is none. */
export async function readPassword(
  given: string | undefined,
  { readLine }: Pick<CommandContext, 'readLine'>,
): Promise<string> {
  const password = given ?? (await readLine());
  if (password === '') throw new AppError('invalid_command', 'no password came on standard input');
  return readOptions(passwordSchema, { password }).password;
}

const emailSchema = Joi.object<{ email: string }, true>({ email: emailAddress.required() });

/** The user whom `--email` names. Throws `invalid_command` if there is none. */
export async function readUser(email: string | undefined, { users }: Pick<Storage, 'users'>): Promise<User> {
  const { email: asked } = readOptions(emailSchema, { email });
  const user = await users.byEmail(asked);
  if (!user) throw new AppError('invalid_command', `there is no user "${asked}"`);
  return user;
}
