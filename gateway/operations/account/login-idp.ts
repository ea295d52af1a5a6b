import Joi from 'joi';
import type { ClientKind } from '../../../storage/users/sessions.js';
import { loginOutput, openSession, platformInput, type LoginOutput } from './open-session.js';
import { userOfIdentity } from '../../auth/user-of-identity.js';
import { defineOperation } from '../../operation.js';

export interface LoginIdpInput {
  idToken: string;
  nonce?: string;
  platform: ClientKind;
}

/** Opens a session for the ID token of an identity provider; the first sign-in creates the account. */
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
