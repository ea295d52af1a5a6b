import Joi from 'joi';
import { tokenScopes } from '../../../../storage/users/token-scopes.js';

/** The parameters of an authorization request. `checkRequest` and `findClient` check them, because each fault has its own error. */
export interface AuthorizationQuery {
  response_type: 'code';
  client_id: string;
  redirect_uri: string;
  code_challenge: string;
  code_challenge_method: 'S256' | 'plain';
  scope?: string;
  state?: string;
  resource?: string;
  response_mode?: 'query';
}

/** Forms of a code_challenge, by its method (RFC 7636, 4.2). */
export const challengeForms = { S256: /^[\w-]{43}$/, plain: /^[\w.~-]{43,128}$/ } as const;

/** The query of /authorize, for the OpenAPI document (RFC 6749, 4.1.1; RFC 7636, 4.3; RFC 8707, 2.1). */
export const authorizationQuery = Joi.object<AuthorizationQuery>({
  response_type: Joi.string().valid('code').required().description('code'),
  client_id: Joi.string()
    .required()
    .description(
      'an id of /register, the https address of a Client ID Metadata Document, or any name of an app on this computer',
    )
    .example('my-cli'),
  redirect_uri: Joi.string()
    .required()
    .description(
      'where the browser is sent with the answer; one that the client has named, or on this computer',
    )
    .example('http://localhost:7777/callback'),
  code_challenge: Joi.string()
    .pattern(challengeForms.plain)
    .required()
    .description('base64url of the SHA-256 of the code_verifier')
    .example('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'),
  code_challenge_method: Joi.string()
    .valid('S256', 'plain')
    .required()
    .description('S256; plain is accepted, but discouraged'),
  scope: Joi.string()
    .description(`some of ${tokenScopes.join(', ')}, separated by spaces; all by default`)
    .example('read:analysis'),
  state: Joi.string().allow('').description('sent back unchanged').example('af0ifjsldkj'),
  resource: Joi.string().description('URL of the connector; tokens are issued for no other'),
  response_mode: Joi.string().valid('query').description('query'),
});
