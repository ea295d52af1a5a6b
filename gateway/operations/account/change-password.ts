import Joi from 'joi';
import { AppError } from '../../../compute/model/errors.js';
import {
  chosenPassword,
  givenPassword,
  hashPassword,
  passwordMatches,
} from '../../../storage/users/password.js';
import { replacePassword } from '../../../storage/users/replace-password.js';
import { defineOperation } from '../../operation.js';
import { endedSessionsOutput, type EndedSessionsOutput } from './logout.js';

export interface ChangePasswordInput {
  currentPassword: string;
  newPassword: string;
}

/**
 * Changes the user's password and ends every other session and all connected apps. A wrong current password counts as a failed sign-in, so that a
 * stolen session can't be used to guess it. It answers `invalid_input`, not `unauthorized`, because the session is valid.
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
  async handle({ currentPassword, newPassword }, { storage, logins }, { user, address, signal }) {
    const { userId, sessionId, email } = user!;
    const checked = await logins.attempt({ email, address, signal }, async () => {
      const found = await storage.users.byId(userId);
      return (await passwordMatches(currentPassword, found?.passwordHash ?? null)) ? found : null;
    });
    if (!checked) throw wrongPassword();
    const ended = await replacePassword(storage, userId, await hashPassword(newPassword), {
      was: checked.passwordHash,
      exceptSessionId: sessionId,
    });
    // Another request changed the password in the meantime.
    if (ended === null) throw wrongPassword();
    return { payload: { ended } };
  },
});

const wrongPassword = () =>
  new AppError('invalid_input', 'the current password is wrong', { details: { field: 'currentPassword' } });
