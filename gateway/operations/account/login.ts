import Joi from 'joi';
import type { ClientKind } from '../../../storage/users/sessions.js';
import { checkCredentials, credentialInput, type Credentials } from '../../auth/check-credentials.js';
import {
  endedSessionsOutput,
  loginOutput,
  openSession,
  platformInput,
  type EndedSessionsOutput,
  type LoginOutput,
} from './sessions.js';
import { defineOperation } from '../../operation.js';
import { AppError } from '../../../compute/model/errors.js';
import { emailAddress } from '../../../storage/users/email.js';
import { takeAccount } from '../../../storage/users/take-account.js';
import type { Storage } from '../../../storage/index.js';
import type { User } from '../../../storage/users/users.js';
import type { IdClaims } from '../../auth/id-tokens.js';

/** Ends the session of the request. It costs nothing, so that a user without points left can sign out; it succeeds once. */
export const logout = defineOperation<object, EndedSessionsOutput>({
  id: 'logout',
  summary: 'Ends this session.',
  scope: 'user',
  cost: 0,
  input: Joi.object({}),
  output: endedSessionsOutput,
  async handle(_input, { storage, audit }, caller) {
    const { userId, sessionId } = caller.user!;
    const hasEnded = await storage.sessions.end(userId, sessionId);
    if (hasEnded) audit.note('session_ended', userId, caller, { count: 1 });
    return { payload: { ended: hasEnded ? 1 : 0 } };
  },
});

interface LoginIdpInput {
  idToken: string;
  nonce?: string;
  platform: ClientKind;
}

export const loginIdp = defineOperation<LoginIdpInput, LoginOutput>({
  id: 'login-idp',
  summary: 'Opens a session for the ID token of an identity provider; the first sign-in creates the account.',
  scope: 'public',
  cost: 1,
  input: Joi.object<LoginIdpInput, true>({
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

export interface LoginInput extends Credentials {
  platform: ClientKind;
}

/** Opens a session for an e-mail and its password. Throws `unauthorized`, or `rate_limited` after too many failures. */
export const login = defineOperation<LoginInput, LoginOutput>({
  id: 'login',
  summary: 'Opens a session for an e-mail and its password.',
  scope: 'public',
  cost: 1,
  input: Joi.object<LoginInput, true>({
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

/**
 * The user of an identity: the user linked to it by an earlier sign-in; else the user with its verified e-mail; else a new
 * user with plan free. Throws `forbidden` if the identity is not linked and its e-mail is not verified or not usable.
 */
export async function userOfIdentity(claims: IdClaims, storage: Storage): Promise<User> {
  const { users, identities } = storage;
  const userId = await identities.userIdOf(claims);
  const known = userId === null ? null : await users.byId(userId);
  if (known) return known;
  const email = verifiedEmail(claims);
  const user = (await claimedUser(email, storage)) ?? (await newUser(email, storage));
  await identities.link(claims, user.id);
  return user;
}

function verifiedEmail({ email, emailVerified }: IdClaims): string {
  if (email === null || !emailVerified)
    throw new AppError('forbidden', 'the identity provider has not verified an e-mail for this account');
  if (emailAddress.validate(email).error)
    throw new AppError('forbidden', 'the e-mail of the identity provider is not usable here');
  return email;
}

/**
 * The user with the e-mail, or null. An account that signed up with the e-mail without verifying it is handed to the
 * identity, whose e-mail is verified: its password and all else that a stranger may have set up end.
 */
async function claimedUser(email: string, storage: Storage): Promise<User | null> {
  const user = await storage.users.byEmail(email);
  if (!user || user.emailVerifiedAt) return user;
  await takeAccount(storage, { userId: user.id, email: user.email }, { dropsPassword: true });
  return storage.users.byEmail(email);
}

async function newUser(email: string, storage: Storage): Promise<User> {
  try {
    return await storage.users.add({ email, plan: 'free', passwordHash: null });
  } catch (error) {
    // Another sign-in of the same identity has just added the user.
    const user =
      error instanceof AppError && error.code === 'already_exists' && (await claimedUser(email, storage));
    if (!user) throw error;
    return user;
  }
}
