import Joi from 'joi';
import { AppError } from '../../compute/model/errors.js';
import { clientKinds, type ClientKind } from '../../storage/sessions.js';
import { plans, type Plan } from '../../storage/users.js';
import { passwordMatches } from '../../storage/password.js';
import { defineOperation } from '../operation.js';

export interface LoginInput {
  email: string;
  password: string;
  platform: ClientKind;
}

export interface LoginOutput {
  token: string;
  user: { userid: string; email: string; subscriptionplan: Plan };
}

/** Opens a session for an e-mail and its password. */
export const login = defineOperation<LoginInput, LoginOutput>({
  id: 'login',
  summary: 'Opens a session for an e-mail and its password.',
  scope: 'public',
  cost: 1,
  input: Joi.object<LoginInput, true>({
    email: Joi.string()
      .max(254)
      .email({ tlds: false })
      .pattern(/^\P{Surrogate}*$/u, 'well-formed text')
      .required(),
    password: Joi.string()
      .max(1024, 'utf8')
      .pattern(/^[^\0\p{Surrogate}]+$/u, 'well-formed text without NUL')
      .required(),
    platform: Joi.string()
      .valid(...clientKinds)
      .default('web'),
  }),
  output: Joi.object<LoginOutput, true>({
    token: Joi.string().required().description('session token'),
    user: Joi.object<LoginOutput['user'], true>({
      userid: Joi.string().required(),
      email: Joi.string().required(),
      subscriptionplan: Joi.string()
        .valid(...plans)
        .required(),
    }).required(),
  }),
  errors: ['unauthorized'],
  async handle({ email, password, platform }, { storage }) {
    const user = await storage.users.byEmail(email);
    const matches = await passwordMatches(password, user?.passwordHash ?? null);
    if (!user || !matches) throw new AppError('unauthorized', 'e-mail or password is wrong');
    const token = await storage.sessions.open(user.id, platform);
    return { payload: { token, user: { userid: user.id, email: user.email, subscriptionplan: user.plan } } };
  },
});
