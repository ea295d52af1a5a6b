import Joi from 'joi';
import { AppError } from '../../../compute/model/errors.js';
import { endAccess } from '../../../storage/users/end-access.js';
import {
  chosenPassword,
  givenPassword,
  hashPassword,
  passwordMatches,
} from '../../../storage/users/password.js';
import { defineOperation } from '../../operation.js';
import { endedOutput, type EndedOutput } from './logout.js';

export interface ChangePasswordInput {
  currentPassword: string;
  newPassword: string;
}

/**
 * Gives the user another password and ends every other way in. A wrong current password counts as a failed sign-in, so that
 * a stolen session is of no use in finding it; the session is good all the same, so this is no `unauthorized`.
 */
export const changePassword = defineOperation<ChangePasswordInput, EndedOutput>({
  id: 'change-password',
  summary: 'Gives the account another password and ends every other access to it.',
  scope: 'user',
  cost: 1,
  input: Joi.object<ChangePasswordInput, true>({
    currentPassword: givenPassword
      .required()
      .example('the password until now')
      .description('password until now'),
    newPassword: chosenPassword
      .required()
      .example('a long password')
      .description('password from now on, 8 to 1,024 bytes'),
  }),
  output: endedOutput,
  async handle({ currentPassword, newPassword }, { storage, logins }, { user, address, signal }) {
    const { userId, sessionId, email } = user!;
    const checked = await logins.attempt({ email, address, signal }, async () => {
      const found = await storage.users.byId(userId);
      return (await passwordMatches(currentPassword, found?.passwordHash ?? null)) ? found : null;
    });
    if (!checked) throw wrongPassword();
    const changed = await storage.users.setPassword(
      userId,
      await hashPassword(newPassword),
      checked.passwordHash,
    );
    // Another request has changed it first.
    if (!changed) throw wrongPassword();
    return { payload: { ended: await endAccess(storage, userId, sessionId) } };
  },
});

const wrongPassword = () =>
  new AppError('invalid_input', 'the current password is wrong', { details: { field: 'currentPassword' } });
