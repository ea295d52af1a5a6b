import { AppError } from '../../compute/model/errors.js';
import { UserExchanges } from '../exchanges/user-exchanges.js';
import type { User } from '../users.js';
import type { CommandContext } from './command.js';

/** The user with this e-mail. Throws `invalid_command` when there is none. */
export async function userOf(email: string, { storage }: CommandContext): Promise<User> {
  const user = await storage.users.byEmail(email);
  if (user) return user;
  throw new AppError('invalid_command', `there is no user "${email}"`);
}

/** What users have connected, for a command: it runs until its process ends. */
export const exchangesFor = ({ settings, storage, redis }: CommandContext): UserExchanges =>
  new UserExchanges(settings, storage, redis, new AbortController().signal);
