import type { AuthorizationTransaction } from '../../../../storage/oauth/transactions.js';
import { tokenScopes, type TokenScope } from '../../../../storage/users/token-scopes.js';
import { AuthorizationError } from './authorization-error.js';
import type { RequestParameters } from './request-parameters.js';
import Joi from 'joi';

/** The parameters of an authorization request. `checkRequest` and `findClient` check them, because each fault has its own error. */
interface AuthorizationQuery {
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
const challengeForms = { S256: /^[\w-]{43}$/, plain: /^[\w.~-]{43,128}$/ } as const;

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

/** The request without the facts about its client. */
type CheckedRequest = Pick<
  AuthorizationTransaction,
  'state' | 'challenge' | 'challengeMethod' | 'scopes' | 'resource'
>;

type Parameters = RequestParameters;

/** The checked request of a known client. `resource`: the URL of the connector. Throws `AuthorizationError` for its first fault. */
export function checkRequest(given: Parameters, resource: string): CheckedRequest {
  checkResource(given, resource);
  given.checkRepeated();
  checkResponse(given);
  return { state: requestState(given), ...challengeOf(given), scopes: scopesOf(given), resource };
}

/** The state to send back, which may be empty; null if it is missing or sent twice. */
export const requestState = (given: Parameters): string | null =>
  given.isRepeated('state') || !given.has('state') ? null : (given.get('state') ?? '');

function checkResponse(given: Parameters): void {
  const type = given.get('response_type');
  if (type === null)
    throw new AuthorizationError('invalid_request', 'response_type is missing: "code" is expected');
  if (type !== 'code')
    throw new AuthorizationError('unsupported_response_type', 'response_type must be "code"');
  const mode = given.get('response_mode');
  if (mode !== null && mode !== 'query')
    throw new AuthorizationError('invalid_request', 'response_mode must be "query"');
  if (given.has('request') || given.has('request_uri'))
    throw new AuthorizationError('invalid_request', 'request objects are not supported: send parameters');
}

/** Every request needs PKCE and must name its method. */
function challengeOf(given: Parameters): Pick<CheckedRequest, 'challenge' | 'challengeMethod'> {
  const challenge = given.get('code_challenge');
  if (challenge === null)
    throw new AuthorizationError('invalid_request', 'code_challenge is missing: PKCE is needed');
  const challengeMethod = given.get('code_challenge_method');
  if (challengeMethod !== 'S256' && challengeMethod !== 'plain')
    throw new AuthorizationError('invalid_request', 'code_challenge_method must be "S256"');
  if (!challengeForms[challengeMethod].test(challenge))
    throw new AuthorizationError('invalid_request', `code_challenge is not one of method ${challengeMethod}`);
  return { challenge, challengeMethod };
}

/** The scopes of the request; all scopes if it names none. */
function scopesOf(given: Parameters): TokenScope[] {
  if (!given.has('scope')) return [...tokenScopes];
  const asked = (given.get('scope') ?? '').split(' ');
  const scopes = tokenScopes.filter((scope) => asked.includes(scope));
  if (asked.some((scope) => !(tokenScopes as readonly string[]).includes(scope)))
    throw new AuthorizationError('invalid_scope', `scope must be of ${tokenScopes.join(' ')}`);
  return scopes;
}

/** Tokens are for this service's connector alone (RFC 8707). */
function checkResource(given: Parameters, resource: string): void {
  if (!given.has('resource')) return;
  const asked = given.get('resource');
  if (
    asked === null ||
    asked.includes('#') ||
    !URL.canParse(asked) ||
    new URL(asked).href !== new URL(resource).href
  )
    throw new AuthorizationError('invalid_target', `resource must be ${resource}`);
}
