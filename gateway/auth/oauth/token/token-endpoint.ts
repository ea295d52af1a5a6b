import type { Middleware } from 'koa';
import type { IssuedTokens } from '../../../../storage/oauth/grant-tokens.js';
import { sharedNow } from '../../../../storage/servers/redis-now.js';
import type { Deps, RequestState } from '../../../context.js';
import { hostCheck } from '../../../mcp/access/known-host.js';
import { auditSourceOf, readParameters, limitFailures, type OauthParameters } from '../revoke-endpoint.js';
import { oauthError } from '../oauth-error.js';
import { exchangeCode } from './exchange-code.js';
import { refreshTokens, grantNames, type TokenCall, type TokenRequest } from './refresh-tokens.js';
import Joi from 'joi';

/** The answer of RFC 6749, 5.1. */
interface TokenAnswer {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  refresh_token: string;
  scope: string;
}

export const tokenAnswerSchema = Joi.object<TokenAnswer, true>({
  access_token: Joi.string()
    .required()
    .description('for the connector, in the header Authorization: Bearer')
    .example('oat_ACCESS_TOKEN'),
  token_type: Joi.string().valid('Bearer').required().description('Bearer').example('Bearer'),
  expires_in: Joi.number()
    .integer()
    .min(0)
    .required()
    .description('seconds for which the access token is valid')
    .example(3600),
  refresh_token: Joi.string()
    .required()
    .description('for the next tokens; valid for 30 days, once')
    .example('ort_REFRESH_TOKEN'),
  scope: Joi.string()
    .required()
    .description('scopes of the access token, separated by spaces')
    .example('read:analysis'),
});

const tokenAnswer = ({ access, refresh, scopes, expiresAt }: IssuedTokens, now: number): TokenAnswer => ({
  access_token: access,
  token_type: 'Bearer',
  expires_in: Math.max(0, Math.floor((expiresAt.getTime() - now) / 1_000)),
  refresh_token: refresh,
  scope: scopes.join(' '),
});

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
