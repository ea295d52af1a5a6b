import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { authorizationMetadata } from '../auth/oauth/metadata.js';
import { registerEndpoint } from '../auth/oauth/register/register-endpoint.js';
import { revokeEndpoint } from '../auth/oauth/revoke-endpoint.js';
import { tokenEndpoint } from '../auth/oauth/token/token-endpoint.js';
import type { Deps, RequestState } from '../context.js';

/** Keeps tokens out of every cache (RFC 6749, 5.1). */
const withoutCache: Middleware<RequestState> = (ctx, next) => {
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Pragma', 'no-cache');
  return next();
};

/** Adds the endpoints of OAuth: metadata, registration of clients, and issuing and revoking of tokens. */
export function addOauth(router: Router<RequestState>, deps: Deps): void {
  router.get('/.well-known/oauth-authorization-server', authorizationMetadata(deps.settings));
  router.post('/register', withoutCache, registerEndpoint(deps));
  router.post('/token', withoutCache, tokenEndpoint(deps));
  router.post('/revoke', withoutCache, revokeEndpoint(deps));
}
