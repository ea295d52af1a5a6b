import type { Command } from './command.js';
import { readPartnerName, showCredentials } from './partner-name.js';

export const partnerAdd: Command = {
  name: 'partner add',
  summary: 'adds a partner who may send signals, and shows the key and the secret, once',
  options: { name: { value: 'N', required: true } },
  async run(options, { storage }) {
    const name = readPartnerName(options);
    return showCredentials(name, await storage.partners.add(name));
  },
};
