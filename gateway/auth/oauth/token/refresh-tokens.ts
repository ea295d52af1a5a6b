import type { Storage } from '../../../../storage/index.js';
import type { IssuedTokens } from '../../../../storage/oauth/grant-tokens.js';
import type { TokenScope } from '../../../../storage/users/token-scopes.js';
import type { Deps } from '../../../context.js';
import { oauthError } from '../oauth-error.js';
import type { OauthParameters } from '../read-parameters.js';
import { readRequest } from '../read-request.js';
import { checkTarget } from './check-target.js';
import type { TokenCall } from './token-call.js';
import { refreshRequest, type TokenRequest } from './token-request.js';

/**
 * New tokens for a refresh token, which they replace. The access token may have fewer scopes than the grant, never more. Throws
 * `invalid_request`, `invalid_grant`, `invalid_scope` and `invalid_target`.
 */
export async function refreshTokens(
  given: OauthParameters,
  {
    storage: { grantTokens, users },
    audit,
  }: { storage: Pick<Storage, 'grantTokens' | 'users'> } & Pick<Deps, 'audit'>,
  { source, now }: TokenCall,
): Promise<IssuedTokens> {
  const asked = readRequest(refreshRequest, given);
  const { refresh_token: refresh, client_id: clientId } = asked;
  const grant = await grantTokens.ofRefresh(refresh, now);
  if (grant?.clientId !== clientId) throw unusable();
  checkTarget(asked, grant);
  const scopes = scopesOf(asked, grant.scopes);
  const { userId, clientName: name } = grant;
  const onReused = () => audit.note('app_disconnected', userId, source, { name, by: 'refresh' });
  const tokens = (await users.byId(userId)) && (await grantTokens.refresh(refresh, scopes, now, onReused));
  if (!tokens) throw unusable();
  return tokens;
}

const unusable = () =>
  oauthError(
    'invalid_grant',
    'the refresh token is unknown, used, expired or revoked, or of another client_id: begin anew at /authorize',
  );

/** The requested scopes, or all scopes of the grant. */
function scopesOf({ scope }: TokenRequest, granted: readonly TokenScope[]): readonly TokenScope[] {
  const asked = scope?.split(' ');
  if (asked === undefined) return granted;
  if (asked.some((each) => !(granted as readonly string[]).includes(each)))
    throw oauthError('invalid_scope', `"scope" must be of ${granted.join(' ')}`);
  return granted.filter((each) => asked.includes(each));
}
