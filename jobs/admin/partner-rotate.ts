import type { Command } from './command.js';
import { noPartner, readPartnerName, showCredentials } from './partner-name.js';

export const partnerRotate: Command = {
  name: 'partner rotate',
  summary: 'gives a partner another key and shows it, once; the old ones are good until they are revoked',
  options: { name: { value: 'N', required: true } },
  async run(options, { storage }) {
    const name = readPartnerName(options);
    const credentials = await storage.partners.addKey(name);
    if (!credentials) throw noPartner(name);
    return showCredentials(name, credentials);
  },
};
