import type { Middleware } from 'koa';
import type { IssuedTokens } from '../../../../storage/oauth/grant-tokens.js';
import type { Deps, RequestState } from '../../../context.js';
import { hostCheck } from '../../../mcp/access/known-host.js';
import { limitFailures } from '../limit-failures.js';
import { oauthError } from '../oauth-error.js';
import { neededParameter, readParameters, type OauthParameters } from '../read-parameters.js';
import { exchangeCode } from './exchange-code.js';
import { refreshTokens } from './refresh-tokens.js';

/** Answers a kind of grant with tokens. Throws the errors of `oauthError`. */
type GrantType = (given: OauthParameters, storage: Deps['storage']) => Promise<IssuedTokens>;

const grantTypes: Readonly<Record<string, GrantType>> = {
  authorization_code: exchangeCode,
  refresh_token: refreshTokens,
};

/** POST /token: tokens for a code, or for a refresh token. */
export function tokenEndpoint(deps: Deps): Middleware<RequestState> {
  const checkHost = hostCheck(deps.settings);
  const limited = limitFailures(deps);
  return async (ctx) => {
    checkHost(ctx);
    await limited(ctx, async () => {
      const given = await readParameters(ctx);
      const grantType = grantTypeOf(given);
      ctx.body = tokenAnswer(await grantType(given, deps.storage), Date.now());
      return true;
    });
  };
}

function grantTypeOf(given: OauthParameters): GrantType {
  const name = neededParameter(given, 'grant_type');
  if (Object.hasOwn(grantTypes, name)) return grantTypes[name];
  const known = Object.keys(grantTypes).join(' or ');
  throw oauthError('unsupported_grant_type', `"grant_type" must be ${known}`);
}

/** As RFC 6749, 5.1, has it. */
const tokenAnswer = ({ access, refresh, scopes, expiresAt }: IssuedTokens, now: number): object => ({
  access_token: access,
  token_type: 'Bearer',
  expires_in: Math.max(0, Math.floor((expiresAt.getTime() - now) / 1_000)),
  refresh_token: refresh,
  scope: scopes.join(' '),
});
