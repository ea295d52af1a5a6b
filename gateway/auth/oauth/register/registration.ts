import { redirectUriFault } from '../clients/redirect-uri.js';
import { oauthError } from '../oauth-error.js';

/** What a client says about itself, as far as it is kept. */
export interface Registration {
  name: string;
  redirectUris: string[];
}

const mostRedirectUris = 10;

/**
 * The registration in a body (RFC 7591). What is not known is not looked at, and what is decided here (no client secret, code and
 * refresh token) is answered as it is, whatever was asked. Throws `invalid_redirect_uri` and `invalid_client_metadata`.
 */
export function readRegistration(body: object): Registration {
  const given = new Map<string, unknown>(Object.entries(body));
  mustInclude(given, 'grant_types', 'authorization_code');
  mustInclude(given, 'response_types', 'code');
  const name = given.get('client_name') ?? '';
  if (typeof name !== 'string') throw unfit('"client_name" must be a text');
  return { name, redirectUris: redirectUrisOf(given.get('redirect_uris')) };
}

function redirectUrisOf(given: unknown): string[] {
  const isList = Array.isArray(given) && given.length > 0 && given.length <= mostRedirectUris;
  if (!isList)
    throw oauthError(
      'invalid_redirect_uri',
      `"redirect_uris" must be a list of 1 to ${mostRedirectUris} addresses`,
    );
  return given.map((uri: unknown, at) => {
    const fault = typeof uri === 'string' ? redirectUriFault(uri) : 'is no text';
    if (fault !== null) throw oauthError('invalid_redirect_uri', `redirect_uris[${at}] ${fault}`);
    return uri as string;
  });
}

/** A client that asks for an unsupported value would not work, so it is refused. */
function mustInclude(given: ReadonlyMap<string, unknown>, field: string, value: string): void {
  const listed = given.get(field);
  if (listed === undefined || (Array.isArray(listed) && listed.includes(value))) return;
  throw unfit(`"${field}" must be a list with "${value}"`);
}

const unfit = (message: string) => oauthError('invalid_client_metadata', message);
