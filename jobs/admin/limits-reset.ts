import { AppError } from '../../compute/model/errors.js';
import type { Command } from './command.js';
import { readLimits } from './read-limits.js';

export const limitsReset: Command = {
  name: 'limits reset',
  summary: 'forgets what a user or an address has used of its limits, failed sign-ins too',
  options: { email: { value: 'E', required: false }, address: { value: 'IP', required: false } },
  async run(options, context) {
    if (options.email === undefined && options.address === undefined)
      throw new AppError('invalid_command', '--email or --address is missing');
    const limits = await readLimits(options, context);
    const forgotten = await context.redis.del(...limits.map(({ key }) => key));
    return { data: { forgotten }, lines: [`limits forgotten: ${forgotten}`] };
  },
};
