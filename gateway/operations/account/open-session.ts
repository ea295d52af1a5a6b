import Joi from 'joi';
import { AppError } from '../../../compute/model/errors.js';
import { clientKinds, sessionIdOf, type ClientKind } from '../../../storage/users/sessions.js';
import { plans, type Plan, type User } from '../../../storage/users/users.js';
import type { Storage } from '../../../storage/index.js';
import { objectField, oneOf, text } from '../output-fields.js';

/** What every way of signing in answers. */
export interface LoginOutput {
  token: string;
  user: { userid: string; email: string; subscriptionplan: Plan };
}

export const loginOutput = Joi.object<LoginOutput, true>({
  token: text('session token, for the header session-token'),
  user: objectField<LoginOutput['user']>(
    {
      userid: text('id of the account; it never changes'),
      email: text('e-mail of the account'),
      subscriptionplan: oneOf(plans, 'plan, which sets the rate limit'),
    },
    'the signed-in user',
  ),
});

export const platformInput = Joi.string()
  .valid(...clientKinds)
  .default('web')
  .description('kind of client: sessions of ios and android last 30 days, others 7');

/**
 * Opens a session for a user whose credentials have been checked. Throws `unauthorized` if the password has changed since
 * the user was read: a session must not outlive the password that opened it.
 */
export async function openSession(user: User, platform: ClientKind, storage: Storage): Promise<LoginOutput> {
  const { id, email, plan, passwordHash } = user;
  const token = await storage.sessions.open(id, platform);
  const current = await storage.users.byId(id);
  if (current?.passwordHash !== passwordHash) {
    await storage.sessions.end(id, sessionIdOf(token)!);
    throw new AppError('unauthorized', 'the password has just changed; sign in again');
  }
  return { token, user: { userid: id, email, subscriptionplan: plan } };
}
