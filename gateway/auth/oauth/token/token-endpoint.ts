import type { Middleware } from 'koa';
import type { IssuedTokens } from '../../../../storage/oauth/grant-tokens.js';
import { sharedNow } from '../../../../storage/servers/redis-now.js';
import type { Deps, RequestState } from '../../../context.js';
import { hostCheck } from '../../../mcp/access/known-host.js';
import { auditSourceOf } from '../audit-source-of.js';
import { limitFailures } from '../limit-failures.js';
import { oauthError } from '../oauth-error.js';
import { readParameters, type OauthParameters } from '../read-parameters.js';
import { exchangeCode } from './exchange-code.js';
import { refreshTokens } from './refresh-tokens.js';
import { tokenAnswer } from './token-answer.js';
import type { TokenCall } from './token-call.js';
import { grantNames, type TokenRequest } from './token-request.js';

/** Issues the tokens for one grant type. Throws the errors of `oauthError`. */
type GrantType = (
  given: OauthParameters,
  deps: Pick<Deps, 'storage' | 'audit'>,
  call: TokenCall,
) => Promise<IssuedTokens>;

const grantTypes: Readonly<Record<TokenRequest['grant_type'], GrantType>> = {
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
      // By the shared clock: else a gateway whose clock is ahead would end what another has just issued.
      const now = await sharedNow(deps.redis);
      const tokens = await grantType(given, deps, { source: auditSourceOf(ctx), now });
      ctx.body = tokenAnswer(tokens, now);
      return true;
    });
  };
}

function grantTypeOf({ grant_type: given }: OauthParameters): GrantType {
  const name = grantNames.find((each) => each === given);
  if (name !== undefined) return grantTypes[name];
  if (given === undefined) throw oauthError('invalid_request', '"grant_type" is missing');
  throw oauthError('unsupported_grant_type', `"grant_type" must be ${grantNames.join(' or ')}`);
}
