import Joi from 'joi';
import { emailAddress } from '../../storage/users/email.js';
import { hashPassword } from '../../storage/users/password.js';
import { plans, type Plan } from '../../storage/users/users.js';
import type { Command } from './command.js';
import { readOptions, readPassword } from './read-options.js';

const schema = Joi.object<{ email: string; plan: Plan; operator: 'yes' | 'no'; password?: string }, true>({
  email: emailAddress.required(),
  plan: Joi.string()
    .valid(...plans)
    .default('free'),
  operator: Joi.string().valid('yes', 'no').default('no'),
  password: Joi.string(),
});

export const userAdd: Command = {
  name: 'user add',
  summary: 'adds a user who may sign in; without --password it is the first line of standard input',
  options: {
    email: { value: 'E', required: true },
    password: { value: 'P', required: false },
    plan: { value: plans.join('|'), required: false },
    operator: { value: 'yes|no', required: false },
  },
  async run(options, context) {
    const { email, plan, password, operator: mayOperate } = readOptions(schema, options);
    const operator = mayOperate === 'yes';
    const passwordHash = await hashPassword(await readPassword(password, context));
    const user = await context.storage.users.add({ email, plan, operator, passwordHash });
    return {
      data: { userid: user.id, email: user.email, plan: user.plan, operator },
      lines: [`added user ${user.email} with plan ${user.plan}${operator ? ', an operator' : ''}`],
    };
  },
};
