import Joi from 'joi';
import { AppError } from '../../../compute/model/errors.js';
import { chosenPassword, givenPassword, hashPassword } from '../../../storage/users/password.js';
import { replacePassword } from '../../../storage/users/replace-password.js';
import { checkPassword } from '../../auth/check-password.js';
import { defineOperation } from '../../operation.js';
import { endedSessionsOutput, type EndedSessionsOutput } from './logout.js';

export interface ChangePasswordInput {
  currentPassword: string;
  newPassword: string;
}

/**
 * Changes the user's password, ends every other session and all connected apps, and tells the user by mail. A wrong current
 * password counts as a failed sign-in, so that a stolen session can't be used to guess it. It answers `invalid_input`, not
 * `unauthorized`, because the session is valid.
 */
export const changePassword = defineOperation<ChangePasswordInput, EndedSessionsOutput>({
  id: 'change-password',
  summary: 'Changes the password of the account, ends all its other sessions and disconnects all apps.',
  scope: 'user',
  cost: 1,
  input: Joi.object<ChangePasswordInput, true>({
    currentPassword: givenPassword.required().example('the current password').description('current password'),
    newPassword: chosenPassword
      .required()
      .example('a long password')
      .description('new password, 8 to 1,024 bytes'),
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

const wrongPassword = () =>
  new AppError('invalid_input', 'the current password is wrong', { details: { field: 'currentPassword' } });
