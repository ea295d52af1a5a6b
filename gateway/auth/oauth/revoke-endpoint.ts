import type { Middleware } from 'koa';
import type { Deps, RequestState } from '../../context.js';
import { hostCheck } from '../../mcp/access/known-host.js';
import { limitFailures } from './limit-failures.js';
import { neededParameter, optionalParameter, readParameters } from './read-parameters.js';

/**
 * POST /revoke (RFC 7009): ends an access token, or a refresh token with all that came of its grant. It answers 200 for unknown
 * tokens and those of another client, too, which tells nothing about them.
 */
export function revokeEndpoint(deps: Deps): Middleware<RequestState> {
  const checkHost = hostCheck(deps.settings);
  const limited = limitFailures(deps);
  return async (ctx) => {
    checkHost(ctx);
    await limited(ctx, async () => {
      const given = await readParameters(ctx);
      const [token, clientId] = [neededParameter(given, 'token'), optionalParameter(given, 'client_id')];
      const isRevoked = await deps.storage.grantTokens.revoke(token, clientId);
      ctx.body = {};
      return isRevoked;
    });
  };
}
