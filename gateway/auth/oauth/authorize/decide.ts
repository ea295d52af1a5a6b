import Joi from 'joi';
import { AppError } from '../../../../compute/model/errors.js';
import type { AuthorizationTransaction } from '../../../../storage/oauth/transactions.js';
import { sharedNow } from '../../../../storage/servers/redis-now.js';
import type { User } from '../../../../storage/users/users.js';
import { checkCredentials, credentialInput, type Credentials } from '../../check-credentials.js';
import { unconfirmed } from '../../session.js';
import type { Caller, Deps } from '../../../context.js';
import { defineOperation } from '../../../operation.js';
import { redirectHostOf } from '../clients/redirect-uri.js';

/** The id of the request, and the secret of the browser that it is bound to. */
export interface DecisionInput {
  transaction: string;
  browser: string;
}

/** The decided request. The code is null if access is denied. */
export interface Decision {
  asked: AuthorizationTransaction;
  code: string | null;
}

const decisionInput = {
  transaction: Joi.string().max(100).required().description('id of the request'),
  browser: Joi.string().max(100).required().description('secret of the browser'),
};

const decisionOutput = Joi.object<Decision>({}).unknown();

/** Takes the open request, once: of two decisions at the same time the second is refused. Throws `forbidden`. */
async function take({ transaction, browser }: DecisionInput, { storage }: Pick<Deps, 'storage'>) {
  const asked = await storage.authorizations.take(transaction, browser);
  if (!asked) throw expiredRequest();
  return asked;
}

export const expiredRequest = () =>
  new AppError(
    'forbidden',
    'this page has expired, was answered already, or belongs to another browser; start again in the app',
  );

export const denyAuthorization = defineOperation<DecisionInput, Decision>({
  id: 'deny-authorization',
  summary: 'Denies the request of a client.',
  scope: 'public',
  cost: 1,
  input: Joi.object<DecisionInput, true>(decisionInput),
  output: decisionOutput,
  async handle(input, deps) {
    return { payload: { asked: await take(input, deps), code: null } };
  },
});

export const allowBySession = defineOperation<DecisionInput, Decision>({
  id: 'allow-by-session',
  summary: 'Grants the request of a client.',
  scope: 'user',
  needsVerified: true,
  cost: 1,
  input: Joi.object<DecisionInput, true>(decisionInput),
  output: decisionOutput,
  async handle(input, deps, caller) {
    const { userId, sessionId } = caller.user!;
    const isAllowed = async () => (await deps.storage.sessions.find(sessionId)) !== null;
    return { payload: await grant(userId, await take(input, deps), deps, caller, isAllowed) };
  },
});

/** Grants the request of a client, by e-mail and password. The request stays open after a wrong password. */
export const allowByPassword = defineOperation<DecisionInput & Credentials, Decision>({
  id: 'allow-by-password',
  summary: 'Grants the request of a client, by e-mail and password.',
  scope: 'public',
  cost: 1,
  input: Joi.object<DecisionInput & Credentials, true>({ ...decisionInput, ...credentialInput }),
  output: decisionOutput,
  errors: ['unauthorized', 'forbidden'],
  async handle({ email, password, ...input }, deps, caller) {
    const user: User = await checkCredentials({ email, password }, deps, caller);
    if (user.emailVerifiedAt === null) throw unconfirmed();
    const { id, passwordHash } = user;
    const isAllowed = async () => (await deps.storage.users.byId(id))?.passwordHash === passwordHash;
    return { payload: await grant(id, await take(input, deps), deps, caller, isAllowed) };
  },
});

/**
 * Stores the grant. If password or session end at the same time, all grants that are stored by then end, too. So `isAllowed` is
 * asked again after the write, and the new grant is revoked if it is no longer allowed. Throws `unauthorized`.
 */
async function grant(
  userId: string,
  asked: AuthorizationTransaction,
  { storage: { grants, grantTokens }, audit, redis }: Pick<Deps, 'storage' | 'audit' | 'redis'>,
  caller: Pick<Caller, 'address' | 'client'>,
  isAllowed: () => Promise<boolean>,
): Promise<Decision> {
  const { clientId, clientName, scopes, resource, redirectUri, challenge, challengeMethod } = asked;
  const consented = {
    userId,
    clientId,
    clientName,
    scopes,
    resource,
    redirectUri,
    redirectHost: redirectHostOf(redirectUri),
    challenge,
    challengeMethod,
  };
  const code = await grants.consent(consented, await sharedNow(redis));
  if (await isAllowed()) {
    audit.note('app_connected', userId, caller, { name: clientName, scopes: scopes.join(' ') });
    return { asked, code };
  }
  const made = await grantTokens.ofCode(code);
  if (made) await grants.revoke(userId, made.grant.id);
  throw new AppError('unauthorized', 'you have just been signed out; start again in the app');
}
