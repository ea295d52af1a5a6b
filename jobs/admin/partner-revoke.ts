import { AppError } from '../../compute/model/errors.js';
import type { Command } from './command.js';

export const partnerRevoke: Command = {
  name: 'partner revoke',
  summary: 'takes one key away from its partner',
  options: { key: { value: 'K', required: true } },
  async run({ key }, { storage }) {
    if (!(await storage.partners.revokeKey(key!)))
      throw new AppError('invalid_command', `no partner has key "${key}"`);
    return { data: { key }, lines: [`revoked key ${key}`] };
  },
};
