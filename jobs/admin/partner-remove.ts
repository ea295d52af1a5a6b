import type { Command } from './command.js';
import { noPartner, readPartnerName } from './partner-name.js';

export const partnerRemove: Command = {
  name: 'partner remove',
  summary: 'removes a partner with all keys',
  options: { name: { value: 'N', required: true } },
  async run(options, { storage }) {
    const name = readPartnerName(options);
    if (!(await storage.partners.remove(name))) throw noPartner(name);
    return { data: { name }, lines: [`removed partner ${name}`] };
  },
};
