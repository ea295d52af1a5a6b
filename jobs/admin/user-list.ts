import type { Command } from './command.js';
import { tableOf } from './table-of.js';

const titles = ['email', 'plan', 'operator', 'password', 'verified', 'created'] as const;

export const userList: Command = {
  name: 'user list',
  summary: 'lists the users: whether they are operators, have a password, have a verified e-mail',
  options: {},
  async run(_options, { storage }) {
    const users = await storage.users.list();
    const data = users.map(({ id, email, plan, operator, passwordHash, emailVerified, createdAt }) => ({
      userid: id,
      email,
      plan,
      operator,
      password: passwordHash !== null,
      verified: emailVerified,
      created: createdAt.toISOString(),
    }));
    const yesNo = (value: string | boolean) => (typeof value === 'string' ? value : value ? 'yes' : 'no');
    const rows = data.map((row) => titles.map((title) => yesNo(row[title])));
    return { data, lines: data.length === 0 ? ['there are no users'] : tableOf(titles, rows) };
  },
};
