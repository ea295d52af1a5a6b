import Joi from 'joi';
import { plans, type Plan } from '../../storage/users/users.js';
import type { Command } from './command.js';
import { readOptions, readUser } from './read-options.js';

const schema = Joi.object<{ plan: Plan }>({
  plan: Joi.string()
    .valid(...plans)
    .required(),
}).unknown();

export const userPlan: Command = {
  name: 'user plan',
  summary: 'moves a user to another plan, at once',
  options: {
    email: { value: 'E', required: true },
    plan: { value: plans.join('|'), required: true },
  },
  async run(options, { storage }) {
    const { plan } = readOptions(schema, options);
    const { id, email } = await readUser(options.email, storage);
    await storage.users.setPlan(id, plan);
    return { data: { userid: id, email, plan }, lines: [`user ${email} has plan ${plan} now`] };
  },
};
