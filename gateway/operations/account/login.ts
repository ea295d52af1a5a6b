import Joi from 'joi';
import type { ClientKind } from '../../../storage/users/sessions.js';
import { checkCredentials, credentialInput, type Credentials } from '../../auth/check-credentials.js';
import { loginOutput, openSession, platformInput, type LoginOutput } from './open-session.js';
import { defineOperation } from '../../operation.js';

export interface LoginInput extends Credentials {
  platform: ClientKind;
}

/** Opens a session for an e-mail and its password. Throws `unauthorized`, or `rate_limited` after too many failures. */
export const login = defineOperation<LoginInput, LoginOutput>({
  id: 'login',
  summary: 'Opens a session for an e-mail and its password.',
  scope: 'public',
  cost: 1,
  input: Joi.object<LoginInput, true>({
    ...credentialInput,
    platform: platformInput,
  }),
  output: loginOutput,
  errors: ['unauthorized'],
  async handle({ platform, ...credentials }, deps, caller) {
    const user = await checkCredentials(credentials, deps, caller);
    const payload = await openSession(user, platform, deps.storage);
    deps.audit.note('sign_in', user.id, caller, { by: 'password' });
    return { payload };
  },
});
