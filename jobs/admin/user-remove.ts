import { removeUser } from '../../storage/users/remove-user.js';
import type { Command } from './command.js';
import { readUser } from './read-options.js';

export const userRemove: Command = {
  name: 'user remove',
  summary: 'removes a user with all their sessions',
  options: { email: { value: 'E', required: true } },
  async run(options, { storage }) {
    const { id, email } = await readUser(options.email, storage);
    await removeUser(storage, id);
    return { data: { userid: id, email }, lines: [`removed user ${email}`] };
  },
};
