import Joi from 'joi';
import { AppError } from '../../compute/model/errors.js';
import { clientKinds, sessionIdOf, type ClientKind } from '../../storage/sessions.js';
import { plans, type Plan, type User } from '../../storage/users.js';
import type { Storage } from '../../storage/index.js';

/** What signing in answers, by whatever means. */
export interface LoginOutput {
  token: string;
  user: { userid: string; email: string; subscriptionplan: Plan };
}

export const loginOutput = Joi.object<LoginOutput, true>({
  token: Joi.string().required().description('session token, for the header session-token'),
  user: Joi.object<LoginOutput['user'], true>({
    userid: Joi.string().required(),
    email: Joi.string().required(),
    subscriptionplan: Joi.string()
      .valid(...plans)
      .required(),
  }).required(),
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
