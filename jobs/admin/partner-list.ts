import type { Command } from './command.js';
import { tableOf } from './table-of.js';

export const partnerList: Command = {
  name: 'partner list',
  summary: 'lists the partners and their keys',
  options: {},
  async run(_options, { storage }) {
    const data = (await storage.partners.list()).map(({ name, keys }) => ({
      name,
      keys: keys.map(({ key, createdAt }) => ({ key, created: createdAt.toISOString() })),
    }));
    const rows = data.flatMap(({ name, keys }) =>
      keys.length === 0 ? [[name, '-', '-']] : keys.map(({ key, created }) => [name, key, created]),
    );
    const lines = tableOf(['name', 'key', 'created'], rows);
    return { data, lines: data.length === 0 ? ['there are no partners'] : lines };
  },
};
