import type { AuthorizationTransaction } from '../../../../storage/oauth/transactions.js';
import { tokenScopes, type TokenScope } from '../../../../storage/users/token-scopes.js';
import { AuthorizationError } from './authorization-error.js';
import { challengeForms } from './authorization-query.js';
import type { RequestParameters } from './request-parameters.js';

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
