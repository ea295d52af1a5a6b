import Joi from 'joi';
import { AppError, fieldError } from '../../../compute/model/errors.js';
import { emailAddress } from '../../../storage/users/email.js';
import { linkLifetimeMs } from '../../../storage/mail/mail-kinds.js';
import { defineOperation } from '../../operation.js';
import { count, answerOf } from '../output-fields.js';
import type { LinkOwner } from '../../../storage/mail/mails.js';
import type { Storage } from '../../../storage/index.js';
import { chosenPassword, hashPassword, givenPassword } from '../../../storage/users/password.js';
import { replacePassword, takeAccount } from '../../../storage/users/take-account.js';
import { linkToken, unknownLink } from './sign-up.js';
import { endedSessionsOutput } from './sessions.js';
import { checkPassword } from '../../auth/check-credentials.js';

const newPasswordInput = chosenPassword
  .required()
  .example('a long password')
  .description('new password, 8 to 1,024 bytes');

/**
 * Changes the user's password, ends every other session and all connected apps, and tells the user by mail. A wrong current
 * password counts as a failed sign-in, so that a stolen session can't be used to guess it. It answers `invalid_input`, not
 * `unauthorized`, because the session is valid.
 */
export const changePassword = defineOperation({
  id: 'change-password',
  summary: 'Changes the password of the account, ends all its other sessions and disconnects all apps.',
  scope: 'user',
  input: Joi.object<{ currentPassword: string; newPassword: string }, true>({
    currentPassword: givenPassword.required().example('the current password').description('current password'),
    newPassword: newPasswordInput,
  }),
  output: endedSessionsOutput,
  async handle({ currentPassword, newPassword }, deps, caller) {
    const { storage, audit } = deps;
    const { userId, sessionId, email } = caller.user!;
    const checked = await checkPassword(
      {
        email,
        password: currentPassword,
        find: () => storage.users.byId(userId),
        to: 'change the password',
      },
      deps,
      caller,
    );
    if (!checked) throw wrongPassword();
    const passwordHash = await hashPassword(newPassword);
    // The e-mail of an account that is not confirmed may be a stranger's.
    const isTold = checked.emailVerifiedAt !== null && (await deps.mailRequests.mayTell(email));
    const ended = await replacePassword(storage, userId, passwordHash, {
      was: checked.passwordHash,
      tell: isTold ? email : null,
      exceptSessionId: sessionId,
    });
    // Another request changed the password in the meantime.
    if (ended === null) throw wrongPassword();
    audit.note('password_changed', userId, caller, { endedSessions: ended });
    return { payload: { ended } };
  },
});

const wrongPassword = () => fieldError('currentPassword', 'the current password is wrong');

/**
 * Sets a new password by the link in a mail, and ends all sessions, apps and personal tokens. The link also proves that the e-mail
 * is the user's: of an account that was not confirmed, subscriptions and keys of exchanges end, too. Throws `invalid_input` for a link that is used, expired or replaced by a newer one.
 */
export const resetPassword = defineOperation({
  id: 'reset-password',
  summary:
    'Sets a new password by the token of the link in a mail, ends all sessions and tokens of the account and disconnects all apps.',
  input: Joi.object<{ token: string; newPassword: string }, true>({
    token: linkToken,
    newPassword: newPasswordInput,
  }),
  output: endedSessionsOutput,
  async handle({ token, newPassword }, { storage, audit, mailRequests }, caller) {
    // Before the hash, which is work, and before the claim: a full queue of hashes must not use up the link.
    if (!(await storage.mails.ownerOf('reset', token))) throw unknownLink();
    const passwordHash = await hashPassword(newPassword);
    const owner = await storage.mails.claim('reset', token);
    const tell = owner && (await mailRequests.mayTell(owner.email)) ? owner.email : null;
    const ended = owner && (await resetAccount(storage, owner, { passwordHash, tell }));
    if (ended === null) throw unknownLink();
    audit.note('password_changed', owner!.userId, caller, { by: 'mail', endedSessions: ended });
    return { payload: { ended } };
  },
});

async function resetAccount(
  storage: Storage,
  owner: LinkOwner,
  { passwordHash, tell }: { passwordHash: string; tell: string | null },
): Promise<number | null> {
  const { userId, email } = owner;
  if ((await storage.users.byId(userId))?.email !== email) return null;
  const ended = await replacePassword(storage, userId, passwordHash, { tell, endsTokens: true });
  const taken = ended === null ? null : await takeAccount(storage, owner);
  return taken === null ? null : ended! + taken;
}

/**
 * Asks for a mail with a link to choose a new password. The answer, the time it takes and the limits are the same whether or
 * not the e-mail has an account: that is looked up when the mail is sent. Over the limits it is the same, too, and no mail is sent.
 */
export const askPasswordReset = defineOperation({
  id: 'ask-password-reset',
  summary:
    'Sends a mail with a link to choose a new password, if the e-mail has an account and not too many were asked for.',
  input: Joi.object<{ email: string }, true>({
    email: emailAddress.required().description('e-mail of the account'),
  }),
  output: answerOf({
    linkMinutes: count('minutes for which the link in the mail works'),
  }),
  async handle({ email }, { mailRequests }, { address }) {
    await mailRequests.ask('reset', { email, address }).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'rate_limited') throw error;
    });
    return { payload: { linkMinutes: linkLifetimeMs.reset / 60_000 } };
  },
});
