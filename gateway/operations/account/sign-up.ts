import Joi from 'joi';
import { AppError } from '../../../compute/model/errors.js';
import { emailAddress } from '../../../storage/users/email.js';
import { chosenPassword, hashPassword } from '../../../storage/users/password.js';
import { loginOutput, openSession, platformInput, type LoginOutput } from './open-session.js';
import { defineOperation } from '../../operation.js';
import type { LoginInput } from './login.js';

export type SignUpInput = LoginInput;

/**
 * Creates an account with plan free, asks for the mail that confirms its e-mail, and opens a session. The answer reveals
 * whether an e-mail already has an account: both answers take the same time, and each address has few sign-ups per hour.
 */
export const signUp = defineOperation<SignUpInput, LoginOutput>({
  id: 'sign-up',
  summary:
    'Creates an account with plan free, sends a mail to confirm its e-mail, and opens a session for it.',
  scope: 'public',
  cost: 1,
  input: Joi.object<SignUpInput, true>({
    email: emailAddress.required().description('e-mail of the new account; must not be in use'),
    password: chosenPassword
      .required()
      .example('a long password')
      .description('password of the account, 8 to 1,024 bytes'),
    platform: platformInput,
  }),
  output: loginOutput,
  errors: ['already_exists', 'forbidden'],
  leadsTo: [{ to: 'login', fields: { email: 'input/email', password: 'input/password' } }],
  async handle({ email, password, platform }, deps, caller) {
    const { settings, storage, logins, mailRequests, audit, log } = deps;
    if (settings.SIGN_UP === 'off') throw new AppError('forbidden', 'signing up is switched off here');
    await logins.countSignUp(caller.address);
    const passwordHash = await hashPassword(password);
    const user = await storage.users.add({ email, plan: 'free', passwordHash, emailVerified: false });
    // The account exists: if the mail fails, its user can ask for another.
    await mailRequests
      .ask('verify', { email, address: caller.address })
      .catch((err: unknown) => log.warn({ err }, 'no mail after a sign-up'));
    const payload = await openSession(user, platform, storage);
    audit.note('sign_in', user.id, caller, { by: 'sign-up' });
    return { payload };
  },
});
