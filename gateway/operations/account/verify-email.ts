import Joi from 'joi';
import { type AppError, fieldError } from '../../../compute/model/errors.js';
import type { LinkOwner } from '../../../storage/mail/mails.js';
import { givenPassword } from '../../../storage/users/password.js';
import { takeAccount } from '../../../storage/users/take-account.js';
import type { User } from '../../../storage/users/users.js';
import { checkPassword } from '../../auth/check-credentials.js';
import type { Caller, Deps } from '../../context.js';
import { defineOperation } from '../../operation.js';
import { flag, text, answerOf } from '../output-fields.js';
import { openSession } from './sessions.js';

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
