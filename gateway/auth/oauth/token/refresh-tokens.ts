import type { Storage } from '../../../../storage/index.js';
import type { IssuedTokens } from '../../../../storage/oauth/grant-tokens.js';
import type { TokenScope } from '../../../../storage/users/token-scopes.js';
import { oauthError } from '../oauth-error.js';
import { neededParameter, optionalParameter, type OauthParameters } from '../read-parameters.js';
import { checkTarget } from './check-target.js';

/**
 * New tokens for a refresh token, which they replace. The access token may have fewer scopes than the grant, never more. Throws
 * `invalid_request`, `invalid_grant`, `invalid_scope` and `invalid_target`.
 */
export async function refreshTokens(
  given: OauthParameters,
  { grantTokens, users }: Pick<Storage, 'grantTokens' | 'users'>,
): Promise<IssuedTokens> {
  const refresh = neededParameter(given, 'refresh_token');
  const clientId = neededParameter(given, 'client_id');
  const grant = await grantTokens.ofRefresh(refresh);
  if (grant?.clientId !== clientId) throw unusable();
  checkTarget(given, grant);
  const scopes = scopesOf(given, grant.scopes);
  const tokens = (await users.byId(grant.userId)) && (await grantTokens.refresh(refresh, scopes));
  if (!tokens) throw unusable();
  return tokens;
}

const unusable = () =>
  oauthError(
    'invalid_grant',
    'the refresh token is unknown, used, expired or revoked, or of another client_id: begin anew at /authorize',
  );

/** The scopes that are asked for, or all of the grant. */
function scopesOf(given: OauthParameters, granted: readonly TokenScope[]): readonly TokenScope[] {
  const asked = optionalParameter(given, 'scope')?.split(' ');
  if (asked === undefined) return granted;
  if (asked.some((each) => !(granted as readonly string[]).includes(each)))
    throw oauthError('invalid_scope', `"scope" must be of ${granted.join(' ')}`);
  return granted.filter((scope) => asked.includes(scope));
}
