import { endAccess } from '../../storage/users/end-access.js';
import type { Command } from './command.js';
import { readUser } from './read-options.js';

export const userSignOut: Command = {
  name: 'user sign-out',
  summary: 'ends all sessions of a user',
  options: { email: { value: 'E', required: true } },
  async run(options, { storage }) {
    const { id, email } = await readUser(options.email, storage);
    const ended = await endAccess(storage, id);
    return { data: { userid: id, email, ended }, lines: [`sessions of ${email} ended: ${ended}`] };
  },
};
