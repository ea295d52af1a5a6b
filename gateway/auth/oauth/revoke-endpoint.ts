import Joi from 'joi';
import type { Middleware } from 'koa';
import type { RevokedTokens } from '../../../storage/oauth/grant-tokens.js';
import type { AuditSource } from '../../../storage/users/audit-log.js';
import type { Deps, RequestState } from '../../context.js';
import { hostCheck } from '../../mcp/access/known-host.js';
import { auditSourceOf } from './audit-source-of.js';
import { limitFailures } from './limit-failures.js';
import { readParameters } from './read-parameters.js';
import { readRequest } from './read-request.js';

interface RevokeRequest {
  token: string;
  token_type_hint?: string;
  client_id: string;
}

/** What /revoke takes, as a form or as JSON (RFC 7009, 2.1). */
export const revokeRequest = Joi.object<RevokeRequest>({
  token: Joi.string()
    .required()
    .description('an access token, which ends alone, or a refresh token, which ends with its whole grant')
    .example('ort_REFRESH_TOKEN'),
  token_type_hint: Joi.string().description('kind of token; the token itself tells it'),
  client_id: Joi.string()
    .required()
    .description('id of the client, as in /authorize; a token of another client is left alone')
    .example('client_0123456789abcdefghijkl'),
});

/**
 * POST /revoke (RFC 7009): ends an access token, or a refresh token with its whole grant. Unknown tokens and those of another
 * client are answered with 200 as well, so that the answer reveals nothing about them.
 */
export function revokeEndpoint(deps: Deps): Middleware<RequestState> {
  const checkHost = hostCheck(deps.settings);
  const limited = limitFailures(deps);
  return async (ctx) => {
    checkHost(ctx);
    await limited(ctx, async () => {
      const { token, client_id: clientId } = readRequest(revokeRequest, await readParameters(ctx));
      const revoked = await deps.storage.grantTokens.revoke(token, clientId);
      if (revoked) noteRevoked(revoked, deps, auditSourceOf(ctx));
      ctx.body = {};
      return revoked !== null;
    });
  };
}

/** Notes for the user that an app has ended its whole grant, or one access token. */
function noteRevoked(
  { grant: { userId, clientName: name }, isWholeGrant }: RevokedTokens,
  { audit }: Pick<Deps, 'audit'>,
  source: AuditSource,
): void {
  audit.note(isWholeGrant ? 'app_disconnected' : 'token_revoked', userId, source, { name, by: 'app' });
}
