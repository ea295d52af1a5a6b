import type { Command } from './command.js';
import { exchangesFor } from './exchanges-for.js';
import { readUser } from './read-options.js';

export const connectionList: Command = {
  name: 'connection list',
  summary: 'lists the exchanges that a user has connected; keys are never shown',
  options: { email: { value: 'E', required: true } },
  async run({ email }, context) {
    const user = await readUser(email, context.storage);
    const connected = await exchangesFor(context).list(user.id);
    const lines = connected.map(({ exchange, kind, mayTrade, syncedAt, fault }) => {
      const read = syncedAt === null ? 'not read yet' : `read at ${new Date(syncedAt).toISOString()}`;
      const state = kind === 'paper' ? 'kept here' : (fault ?? read);
      return `${exchange}: ${mayTrade ? 'may trade' : 'reads only'}, ${state}`;
    });
    return { data: connected, lines };
  },
};
