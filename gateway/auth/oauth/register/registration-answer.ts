import Joi from 'joi';
import type { OauthClient } from '../../../../storage/oauth/clients.js';
import { tokenScopes } from '../../../../storage/users/token-scopes.js';

/** The answer of RFC 7591, 3.2.1. */
export interface RegistrationAnswer {
  client_id: string;
  client_id_issued_at: number;
  client_name: string;
  redirect_uris: string[];
  grant_types: string[];
  response_types: string[];
  token_endpoint_auth_method: 'none';
  scope: string;
}

const texts = (description: string) => Joi.array().items(Joi.string()).required().description(description);

export const registrationAnswerSchema = Joi.object<RegistrationAnswer, true>({
  client_id: Joi.string()
    .required()
    .description('id of the client, for /authorize and /token')
    .example('client_0123456789abcdefghijkl'),
  client_id_issued_at: Joi.number()
    .integer()
    .min(0)
    .required()
    .description('when it was made, in Unix seconds')
    .example(1_767_225_600),
  client_name: Joi.string().required().description('name that users are shown').example('Chart app'),
  redirect_uris: texts('addresses that the browser may be sent to').example(['https://app.example/callback']),
  grant_types: texts('what the client may exchange at /token').example([
    'authorization_code',
    'refresh_token',
  ]),
  response_types: texts('what the client may ask for at /authorize').example(['code']),
  token_endpoint_auth_method: Joi.string()
    .valid('none')
    .required()
    .description('clients have no secret: PKCE shows who they are')
    .example('none'),
  scope: Joi.string()
    .required()
    .description('scopes that the client may ask for, separated by spaces')
    .example(tokenScopes.join(' ')),
});

/** The answer for a stored client. */
export const registrationAnswer = ({
  clientId,
  name,
  redirectUris,
  createdAt,
}: OauthClient): RegistrationAnswer => ({
  client_id: clientId,
  client_id_issued_at: Math.floor(createdAt.getTime() / 1_000),
  client_name: name,
  redirect_uris: redirectUris,
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
  scope: tokenScopes.join(' '),
});
