import type { Command } from './command.js';
import { exchangesFor } from './exchanges-for.js';
import { readUser } from './read-options.js';

export const connectionRemove: Command = {
  name: 'connection remove',
  summary: 'forgets an exchange that a user has connected, and its key',
  options: {
    email: { value: 'E', required: true },
    exchange: { value: 'BINANCE', required: true },
  },
  async run({ email, exchange }, context) {
    const user = await readUser(email, context.storage);
    await exchangesFor(context).disconnect(user.id, exchange!);
    return { data: { email: user.email, exchange }, lines: [`removed ${exchange} of ${user.email}`] };
  },
};
