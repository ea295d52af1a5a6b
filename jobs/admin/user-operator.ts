import Joi from 'joi';
import type { Command } from './command.js';
import { readOptions, readUser } from './read-options.js';

const schema = Joi.object<{ operator: 'yes' | 'no' }>({
  operator: Joi.string().valid('yes', 'no').required(),
}).unknown();

export const userOperator: Command = {
  name: 'user operator',
  summary: 'lets a user see and steer the cluster, or not any longer',
  options: {
    email: { value: 'E', required: true },
    operator: { value: 'yes|no', required: true },
  },
  async run(options, { storage }) {
    const operator = readOptions(schema, options).operator === 'yes';
    const { id, email } = await readUser(options.email, storage);
    await storage.users.setOperator(id, operator);
    return {
      data: { userid: id, email, operator },
      lines: [`user ${email} is ${operator ? 'an operator' : 'no operator'} now`],
    };
  },
};
