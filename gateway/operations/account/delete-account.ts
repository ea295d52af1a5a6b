import Joi from 'joi';
import { AppError, fieldError } from '../../../compute/model/errors.js';
import { requireNoLivePositions } from '../../../storage/signals/live-positions.js';
import { normaliseEmail } from '../../../storage/users/email.js';
import { givenPassword } from '../../../storage/users/password.js';
import { removeUser } from '../../../storage/users/remove-user.js';
import { checkPassword } from '../../auth/check-credentials.js';
import type { Caller, Deps } from '../../context.js';
import { defineOperation } from '../../operation.js';
import { flag, answerOf } from '../output-fields.js';

const advice = 'close them first (POST /backend/trading/close-all)';

/** How long ago a user without a password may have signed in to delete the account. */
const recentMs = 600_000;

/**
 * Removes the account with all that belongs to it. Refused while a signal is executed on a real exchange: what it has bought
 * there would stay without its stops. Afterwards one audit event is left, which does not name the account.
 */
export const deleteAccount = defineOperation({
  id: 'delete-account',
  summary: 'Deletes the account with everything that belongs to it. It cannot be undone.',
  scope: 'user',
  input: Joi.object<{ password?: string; confirm: string }>({
    password: givenPassword
      .example('the current password')
      .description('password of the account; an account without one needs a sign-in within 10 minutes'),
    confirm: Joi.string()
      .max(254)
      .required()
      .description('e-mail of the account, as a sign that this is meant')
      .example('you@example.com'),
  }),
  output: answerOf({ deleted: flag('always true') }),
  errors: ['forbidden', 'positions_open'],
  async handle({ password, confirm }, deps, caller) {
    const { storage, audit } = deps;
    const { userId, email } = caller.user!;
    if (normaliseEmail(confirm) !== email)
      throw fieldError('confirm', 'this is not the e-mail of the account');
    await requireOwner(password, deps, caller);
    await requireNoLivePositions(userId, storage, advice);
    // Without subscriptions no more signals are delivered. The second check sees those delivered since the first.
    await storage.subscriptions.removeAll(userId);
    await requireNoLivePositions(userId, storage, advice);
    await audit.settled(userId);
    await removeUser(storage, userId);
    audit.note('account_removed', null, null);
    return { payload: { deleted: true } };
  },
});

/** Throws unless the caller shows the password, or has just signed in where the account has none. */
async function requireOwner(password: string | undefined, deps: Deps, caller: Caller): Promise<void> {
  const { users, sessions } = deps.storage;
  const { userId, email, sessionId } = caller.user!;
  const user = await users.byId(userId);
  if (user?.passwordHash === null) {
    const session = await sessions.find(sessionId);
    if (session && Date.now() - session.createdAt.getTime() < recentMs) return;
    const message = 'sign in again, then delete the account within 10 minutes: it has no password';
    throw new AppError('forbidden', message);
  }
  if (password === undefined) throw refused('"password" is required');
  const check = { email, password, find: () => users.byId(userId), to: 'delete the account' } as const;
  if (!(await checkPassword(check, deps, caller))) throw refused('the password is wrong');
}

const refused = (message: string) => fieldError('password', message);
