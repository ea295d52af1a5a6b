import Joi from 'joi';
import { AppError } from '../../compute/model/errors.js';
import { clientKinds, sessionIdOf, type ClientKind } from '../../storage/users/sessions.js';
import { plans, type Plan, type User } from '../../storage/users/users.js';
import type { Storage } from '../../storage/index.js';
import { objectField, oneOf, text } from '../operations/output-fields.js';

/** What signing in answers, by whatever means. */
export interface LoginOutput {
  token: string;
  user: { userid: string; email: string; subscriptionplan: Plan };
}

export const loginOutput = Joi.object<LoginOutput, true>({
  token: text('session token, for the header session-token'),
  user: objectField<LoginOutput['user']>(
    {
      userid: text('id of the account, which never changes'),
      email: text('e-mail of the account'),
      subscriptionplan: oneOf(plans, 'plan, by which the rate limit goes'),
    },
    'who is signed in',
  ),
});

export const platformInput = Joi.string()
  .valid(...clientKinds)
  .default('web')
  .description('sessions of ios and android last 30 days, others 7');

/**
 * Opens a session for a user whose proof has been checked. Throws `unauthorized` if the account has changed since it was
 * read: a session must not outlive the password that opened it.
 */
export async function openSession(user: User, platform: ClientKind, storage: Storage): Promise<LoginOutput> {
  const { id, email, plan, passwordHash } = user;
  const token = await storage.sessions.open(id, platform);
  const now = await storage.users.byId(id);
  if (now?.passwordHash !== passwordHash) {
    await storage.sessions.end(id, sessionIdOf(token)!);
    throw new AppError('unauthorized', 'the account has changed meanwhile; sign in again');
  }
  return { token, user: { userid: id, email, subscriptionplan: plan } };
}
