import { endAccess } from '../../storage/users/end-access.js';
import { hashPassword } from '../../storage/users/password.js';
import type { Command } from './command.js';
import { readPassword, readUser } from './read-options.js';

export const userPassword: Command = {
  name: 'user password',
  summary: 'gives a user the password in the first line of standard input, and ends all their sessions',
  options: { email: { value: 'E', required: true } },
  async run(options, context) {
    const { storage } = context;
    const { id, email } = await readUser(options.email, storage);
    await storage.users.setPassword(id, await hashPassword(await readPassword(undefined, context)));
    const ended = await endAccess(storage, id);
    return {
      data: { userid: id, email, ended },
      lines: [`user ${email} has another password now; sessions ended: ${ended}`],
    };
  },
};
