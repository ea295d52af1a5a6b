import Joi from 'joi';
import { AppError } from '../../../compute/model/errors.js';
import { emailAddress } from '../../../storage/users/email.js';
import { givenPassword, passwordMatches } from '../../../storage/users/password.js';
import type { ClientKind } from '../../../storage/users/sessions.js';
import { loginOutput, openSession, platformInput, type LoginOutput } from './open-session.js';
import { defineOperation } from '../../operation.js';

export interface LoginInput {
  email: string;
  password: string;
  platform: ClientKind;
}

/** Opens a session for an e-mail and its password. Throws `unauthorized`, or `rate_limited` after too many failures. */
export const login = defineOperation<LoginInput, LoginOutput>({
  id: 'login',
  summary: 'Opens a session for an e-mail and its password.',
  scope: 'public',
  cost: 1,
  input: Joi.object<LoginInput, true>({
    email: emailAddress.required().description('e-mail of the account'),
    password: givenPassword.required().example('a long password').description('password of the account'),
    platform: platformInput,
  }),
  output: loginOutput,
  errors: ['unauthorized'],
  async handle({ email, password, platform }, { storage, logins }, { address, signal }) {
    const user = await logins.attempt({ email, address, signal }, async () => {
      const found = await storage.users.byEmail(email);
      return (await passwordMatches(password, found?.passwordHash ?? null)) ? found : null;
    });
    if (!user) throw new AppError('unauthorized', 'e-mail or password is wrong');
    return { payload: await openSession(user, platform, storage) };
  },
});
