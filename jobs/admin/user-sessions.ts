import type { Command } from './command.js';
import { readUser } from './read-options.js';
import { tableOf } from './table-of.js';

const titles = ['client', 'created', 'expires'] as const;

export const userSessions: Command = {
  name: 'user sessions',
  summary: 'lists where a user is signed in',
  options: { email: { value: 'E', required: true } },
  async run(options, { storage }) {
    const { id, email } = await readUser(options.email, storage);
    const data = (await storage.sessions.ofUser(id)).map(({ client, createdAt, expiresAt }) => ({
      client,
      created: createdAt.toISOString(),
      expires: expiresAt.toISOString(),
    }));
    const rows = data.map((row) => titles.map((title) => row[title]));
    return { data, lines: data.length === 0 ? [`user ${email} is not signed in`] : tableOf(titles, rows) };
  },
};
