import Joi from 'joi';
import { AppError } from '../../../compute/model/errors.js';
import { emailAddress } from '../../../storage/users/email.js';
import { linkLifetimeMs } from '../../../storage/mail/mail-kinds.js';
import { chosenPassword, hashPassword } from '../../../storage/users/password.js';
import type { User } from '../../../storage/users/users.js';
import type { Caller, Deps } from '../../context.js';
import { defineOperation } from '../../operation.js';
import { count, answerOf } from '../output-fields.js';

/**
 * Creates an account with plan free and asks for the mail that confirms its e-mail. The answer is the same for an e-mail that has
 * an account, which stays as it is and whose owner is told by mail; so it opens no session. Each address has few sign-ups per hour.
 */
export const signUp = defineOperation({
  id: 'sign-up',
  summary:
    'Creates an account with plan free and sends a mail to confirm its e-mail; if the e-mail has an account, the mail says so.',
  input: Joi.object<{ email: string; password: string }, true>({
    email: emailAddress.required().description('e-mail of the new account'),
    password: chosenPassword
      .required()
      .example('a long password')
      .description('password of the account, 8 to 1,024 bytes, and none of the most common ones'),
  }),
  output: answerOf({
    linkMinutes: count('minutes for which the link in the mail works'),
  }),
  errors: ['forbidden'],
  leadsTo: [{ to: 'login', fields: { email: 'input/email', password: 'input/password' } }],
  async handle({ email, password }, deps, caller) {
    const { settings, logins, mailRequests, log } = deps;
    if (settings.SIGN_UP === 'off') throw new AppError('forbidden', 'signing up is switched off here');
    await logins.countSignUp(caller.address);
    const passwordHash = await hashPassword(password);
    const known = await knownOrAdded(email, passwordHash, deps, caller);
    // The account exists: if the mail fails, its user can ask for another.
    await mailRequests
      .ask(known?.emailVerifiedAt ? 'known' : 'verify', { email, address: caller.address })
      .catch((err: unknown) => log.warn({ err }, 'no mail after a sign-up'));
    return { payload: { linkMinutes: linkLifetimeMs.verify / 60_000 } };
  },
});

/** The user who has the e-mail; null if the account was added. */
async function knownOrAdded(
  email: string,
  passwordHash: string,
  { storage: { users }, audit }: Pick<Deps, 'storage' | 'audit'>,
  caller: Caller,
): Promise<User | null> {
  try {
    const { id } = await users.add({ email, plan: 'free', passwordHash, emailVerified: false });
    audit.note('account_made', id, caller);
    return null;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'already_exists') throw error;
    return users.byEmail(email);
  }
}
