import type { Storage } from '../../../../storage/index.js';
import type { IssuedTokens } from '../../../../storage/oauth/grant-tokens.js';
import type { TokenScope } from '../../../../storage/users/token-scopes.js';
import type { Deps } from '../../../context.js';
import { oauthError } from '../oauth-error.js';
import { readRequest, type OauthParameters } from '../revoke-endpoint.js';
import type { AuditSource } from '../../../../storage/users/audit-log.js';
import type { Grant } from '../../../../storage/oauth/grant-document.js';
import Joi from 'joi';

export const grantNames = ['authorization_code', 'refresh_token'] as const;

/** What /token takes, as a form or as JSON (RFC 6749, 4.1.3 and 6; RFC 7636, 4.5; RFC 8707, 2.2). */
export interface TokenRequest {
  grant_type: (typeof grantNames)[number];
  client_id: string;
  code?: string;
  code_verifier?: string;
  redirect_uri?: string;
  refresh_token?: string;
  scope?: string;
  resource?: string;
}

export const tokenRequest = Joi.object<TokenRequest>({
  grant_type: Joi.string()
    .valid(...grantNames)
    .required()
    .description('what is exchanged for tokens'),
  client_id: Joi.string()
    .required()
    .description('id of the client, as in /authorize')
    .example('client_0123456789abcdefghijkl'),
  code: Joi.string()
    .description('for authorization_code: the code, which ends after 5 minutes or one use')
    .example('oac_CODE_THAT_THE_CLIENT_WAS_SENT'),
  code_verifier: Joi.string()
    .description(
      'for authorization_code: the verifier of the code_challenge, 43 to 128 characters; without it the code is refused and ends',
    )
    .example('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'),
  redirect_uri: Joi.string().description(
    'for authorization_code: the same as in /authorize; it may be left out',
  ),
  refresh_token: Joi.string().description(
    'for refresh_token: the newest refresh token, which is replaced; for 30 s it gets the same answer again',
  ),
  scope: Joi.string().description(
    'for refresh_token: scopes of the new access token, separated by spaces; some of those of the grant; all of them by default',
  ),
  resource: Joi.string().description('URL of the connector, as in /authorize'),
});

/** The requests of the two grants, each with its required fields. */
export const codeRequest = tokenRequest.fork('code', (code) => code.required()) as Joi.ObjectSchema<
  TokenRequest & { code: string }
>;
const refreshRequest = tokenRequest.fork('refresh_token', (token) => token.required()) as Joi.ObjectSchema<
  TokenRequest & { refresh_token: string }
>;

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

/** A request for tokens: where it comes from, and when, by the clock that all gateways share. */
export interface TokenCall {
  source: AuditSource;
  now: number;
}

/** Throws `invalid_target` if the request names another service than the one that the grant is for (RFC 8707). */
export function checkTarget(
  { resource: asked }: Pick<TokenRequest, 'resource'>,
  { resource }: Pick<Grant, 'resource'>,
): void {
  if (asked === undefined || asked === resource) return;
  const isSame =
    !asked.includes('#') && URL.canParse(asked) && new URL(asked).href === new URL(resource).href;
  if (!isSame) throw oauthError('invalid_target', `"resource" must be ${resource}`);
}
