import Joi from 'joi';
import { AppError, fieldError } from '../../../compute/model/errors.js';
import type { LinkOwner } from '../../../storage/mail/mails.js';
import { givenPassword, chosenPassword, hashPassword } from '../../../storage/users/password.js';
import { takeAccount } from '../../../storage/users/take-account.js';
import type { User } from '../../../storage/users/users.js';
import { checkPassword } from '../../auth/check-credentials.js';
import type { Caller, Deps } from '../../context.js';
import { defineOperation } from '../../operation.js';
import { flag, text, answerOf, count } from '../output-fields.js';
import { openSession } from './sessions.js';
import { emailAddress } from '../../../storage/users/email.js';
import { linkLifetimeMs } from '../../../storage/mail/mail-kinds.js';

/** The token of a link in a mail. */
export const linkToken = Joi.string()
  .max(100)
  .required()
  .example('TOKEN_OF_THE_LINK')
  .description('token of the link in the mail');

/** The error for a link that does not work: the same words, whatever is wrong with it. */
export const unknownLink = (): AppError =>
  fieldError(
    'token',
    'the link does not work: it was used, it has expired, or a newer mail has replaced it; ask for another mail',
  );

/** Asks for another mail that confirms the e-mail of the account. Throws `rate_limited` after too many. */
export const askVerification = defineOperation({
  id: 'ask-verification',
  summary: 'Sends another mail with a link that confirms the e-mail of the account.',
  scope: 'user',
  output: answerOf({
    isVerified: flag('whether the e-mail is confirmed already; then no mail is sent'),
  }),
  async handle(_input, { storage, mailRequests }, { user, address }) {
    const { userId, email } = user!;
    const found = await storage.users.byId(userId);
    const isVerified = found?.emailVerifiedAt !== null;
    if (!isVerified) await mailRequests.ask('verify', { email, address });
    return { payload: { isVerified } };
  },
});

/**
 * Confirms the e-mail that the link was sent to. The mail alone does not show that its reader has made the account: a stranger
 * may have done so with their e-mail. Only a session of the account or its password shows that; all else that is signed in or
 * connected ends, and without either of them the password, too. Throws `invalid_input` for a wrong password, which leaves the
 * link, and for a link that is used, expired or replaced by a newer one.
 */
export const verifyEmail = defineOperation({
  id: 'verify-email',
  summary:
    'Confirms the e-mail of an account by the token of the link that was sent to it. Other sessions end; without a session of the account or its password, the password ends, too.',
  input: Joi.object<{ token: string; password?: string }>({
    token: linkToken,
    password: givenPassword
      .example('a long password')
      .description('password of the account; not needed with a session of the account'),
  }),
  output: answerOf({
    email: text('e-mail that is confirmed'),
    keepsPassword: flag('whether the account keeps its password; if not, ask for a mail to choose one'),
    token: text('session token, if the password was given; else null').allow(null),
  }),
  async handle({ token, password }, deps, caller) {
    const { storage, audit } = deps;
    const asked = await storage.mails.ownerOf('verify', token);
    if (!asked) throw unknownLink();
    const user = password === undefined ? null : await userOf(asked, password, deps, caller);
    const exceptSessionId = caller.user?.userId === asked.userId ? caller.user.sessionId : undefined;
    const keepsPassword = user !== null || exceptSessionId !== undefined;
    const owner = await storage.mails.claim('verify', token);
    const ended =
      owner && (await takeAccount(storage, owner, { dropsPassword: !keepsPassword, exceptSessionId }));
    if (ended === null) throw unknownLink();
    audit.note('email_verified', asked.userId, caller);
    const session = user && (await openSession(user, 'web', storage));
    return { payload: { email: asked.email, keepsPassword, token: session?.token ?? null } };
  },
});

/** The user of the link, if the password is theirs. Throws `invalid_input`, or `rate_limited` after too many failures. */
async function userOf(
  { userId, email }: LinkOwner,
  password: string,
  deps: Deps,
  caller: Caller,
): Promise<User> {
  const check = { email, password, find: () => deps.storage.users.byId(userId), to: 'sign in' } as const;
  const user = await checkPassword(check, deps, caller);
  if (!user) throw fieldError('password', 'the password is wrong');
  return user;
}

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
