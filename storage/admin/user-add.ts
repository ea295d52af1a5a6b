import Joi from 'joi';
import { AppError } from '../../compute/model/errors.js';
import { hashPassword } from '../password.js';
import { plans, type Plan } from '../users.js';
import type { Command } from './command.js';

const schema = Joi.object<{ email: string; password: string; plan: Plan; operator: 'yes' | 'no' }, true>({
  email: Joi.string().max(254).email({ tlds: false }).required(),
  password: Joi.string().min(8).max(1024, 'utf8').required(),
  plan: Joi.string()
    .valid(...plans)
    .default('free'),
  operator: Joi.string().valid('yes', 'no').default('no'),
});

export const userAdd: Command = {
  name: 'user add',
  summary: 'adds a user who may sign in',
  options: {
    email: { value: 'E', required: true },
    password: { value: 'P', required: true },
    plan: { value: plans.join('|'), required: false },
    operator: { value: 'yes|no', required: false },
  },
  async run(options, { storage }) {
    const checked = schema.validate(options);
    if (checked.error) throw new AppError('invalid_command', checked.error.message);
    const { email, plan, password } = checked.value;
    const operator = checked.value.operator === 'yes';
    const passwordHash = await hashPassword(password);
    const user = await storage.users.add({ email, plan, operator, passwordHash });
    return {
      data: { userid: user.id, email: user.email, plan: user.plan, operator },
      lines: [`added user ${user.email} with plan ${user.plan}${operator ? ', an operator' : ''}`],
    };
  },
};
