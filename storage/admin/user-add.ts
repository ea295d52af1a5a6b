import Joi from 'joi';
import { AppError } from '../../compute/model/errors.js';
import { hashPassword } from '../password.js';
import { plans, type Plan } from '../users.js';
import type { Command } from './command.js';

const schema = Joi.object<{ email: string; password: string; plan: Plan }, true>({
  email: Joi.string().max(254).email({ tlds: false }).required(),
  password: Joi.string().min(8).max(1024, 'utf8').required(),
  plan: Joi.string()
    .valid(...plans)
    .default('free'),
});

export const userAdd: Command = {
  name: 'user add',
  summary: 'adds a user who may sign in',
  options: {
    email: { value: 'E', required: true },
    password: { value: 'P', required: true },
    plan: { value: plans.join('|'), required: false },
  },
  async run(options, { storage }) {
    const checked = schema.validate(options);
    if (checked.error) throw new AppError('invalid_command', checked.error.message);
    const { email, plan, password } = checked.value;
    const user = await storage.users.add({ email, plan, passwordHash: await hashPassword(password) });
    return {
      data: { userid: user.id, email: user.email, plan: user.plan },
      lines: [`added user ${user.email} with plan ${user.plan}`],
    };
  },
};
