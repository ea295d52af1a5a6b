import Joi from 'joi';
import type { ClientKind } from '../../../storage/users/sessions.js';
import { checkCredentials, credentialInput, type Credentials } from '../../auth/check-credentials.js';
import { endedSessionsOutput, loginOutput, openSession, platformInput } from './sessions.js';
import { defineOperation } from '../../operation.js';
import { userOfIdentity } from '../../auth/user-of-identity.js';

/** Ends the session of the request. It costs nothing, so that a user without points left can sign out; it succeeds once. */
export const logout = defineOperation({
  id: 'logout',
  summary: 'Ends this session.',
  scope: 'user',
  cost: 0,
  output: endedSessionsOutput,
  async handle(_input, { storage, audit }, caller) {
    const { userId, sessionId } = caller.user!;
    const hasEnded = await storage.sessions.end(userId, sessionId);
    if (hasEnded) audit.note('session_ended', userId, caller, { count: 1 });
    return { payload: { ended: hasEnded ? 1 : 0 } };
  },
});

/** Opens a session for the ID token of an identity provider; the first sign-in creates the account. */
export const loginIdp = defineOperation({
  id: 'login-idp',
  summary: 'Opens a session for the ID token of an identity provider; the first sign-in creates the account.',
  input: Joi.object<{ idToken: string; nonce?: string; platform: ClientKind }, true>({
    idToken: Joi.string()
      .max(16 * 1024)
      .pattern(/^[\w-]+\.[\w-]+\.[\w-]*$/, 'a signed JWT in its compact form')
      .required()
      .description('OpenID Connect ID token')
      .example('HEADER.CLAIMS.SIGNATURE'),
    nonce: Joi.string()
      .max(255)
      .description('the nonce of the token, if the client sent one to the provider'),
    platform: platformInput,
  }),
  output: loginOutput,
  errors: ['unauthorized', 'forbidden', 'idp_unavailable'],
  async handle({ idToken, nonce, platform }, { storage, idTokens, audit }, caller) {
    const claims = await idTokens.verify(idToken, nonce);
    const user = await userOfIdentity(claims, storage);
    const payload = await openSession(user, platform, storage);
    audit.note('sign_in', user.id, caller, { by: claims.issuer.slice(0, 200) });
    return { payload };
  },
});

/** Opens a session for an e-mail and its password. Throws `unauthorized`, or `rate_limited` after too many failures. */
export const login = defineOperation({
  id: 'login',
  summary: 'Opens a session for an e-mail and its password.',
  input: Joi.object<Credentials & { platform: ClientKind }, true>({
    ...credentialInput,
    platform: platformInput,
  }),
  output: loginOutput,
  errors: ['unauthorized'],
  async handle({ platform, ...credentials }, deps, caller) {
    const user = await checkCredentials(credentials, deps, caller);
    const payload = await openSession(user, platform, deps.storage);
    deps.audit.note('sign_in', user.id, caller, { by: 'password' });
    return { payload };
  },
});
