import Joi from 'joi';
import { AppError } from '../../../compute/model/errors.js';
import { emailAddress } from '../../../storage/users/email.js';
import { chosenPassword, hashPassword } from '../../../storage/users/password.js';
import { loginOutput, openSession, platformInput, type LoginOutput } from '../../auth/open-session.js';
import { defineOperation } from '../../operation.js';
import type { LoginInput } from './login.js';

/**
 * Makes an account with plan free and signs it in. That an e-mail has an account can't be kept back from who wants to sign
 * up with it, since no e-mails are sent: it is said after the same work, and an address may ask a few times an hour.
 */
export const signUp = defineOperation<LoginInput, LoginOutput>({
  id: 'sign-up',
  summary: 'Makes an account with plan free and opens a session for it.',
  scope: 'public',
  cost: 1,
  input: Joi.object<LoginInput, true>({
    email: emailAddress.required().description('e-mail of the new account; nobody else has one of it'),
    password: chosenPassword
      .required()
      .example('a long password')
      .description('its password, 8 to 1,024 bytes'),
    platform: platformInput,
  }),
  output: loginOutput,
  errors: ['already_exists', 'forbidden'],
  leadsTo: [{ to: 'login', fields: { email: 'input/email', password: 'input/password' } }],
  async handle({ email, password, platform }, { settings, storage, logins }, { address }) {
    if (settings.SIGN_UP === 'off') throw new AppError('forbidden', 'signing up is switched off here');
    await logins.countSignUp(address);
    const passwordHash = await hashPassword(password);
    const user = await storage.users.add({ email, plan: 'free', passwordHash, emailVerified: false });
    return { payload: await openSession(user, platform, storage) };
  },
});
