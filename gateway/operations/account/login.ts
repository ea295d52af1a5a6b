import Joi from 'joi';
import { AppError } from '../../../compute/model/errors.js';
import { emailAddress } from '../../../storage/users/email.js';
import { givenPassword } from '../../../storage/users/password.js';
import type { ClientKind } from '../../../storage/users/sessions.js';
import { loginOutput, openSession, platformInput, type LoginOutput } from './open-session.js';
import { checkPassword } from '../../auth/check-password.js';
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
  async handle({ email, password, platform }, deps, caller) {
    const find = () => deps.storage.users.byEmail(email);
    const user = await checkPassword({ email, password, find, to: 'sign in' }, deps, caller);
    if (!user) throw new AppError('unauthorized', 'e-mail or password is wrong');
    const payload = await openSession(user, platform, deps.storage);
    deps.audit.note('sign_in', user.id, caller, { by: 'password' });
    return { payload };
  },
});
