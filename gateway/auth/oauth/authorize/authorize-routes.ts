import type Router from '@koa/router';
import type { Deps, RequestState } from '../../../context.js';
import { authorizeEndpoint } from './authorize-endpoint.js';
import { decisionPath } from './consent-page.js';
import { decisionEndpoint } from './decision-endpoint.js';

/** Adds the OAuth routes of browsers: the request of a client, and the decision of the user. */
export function addAuthorizeRoutes(router: Router<RequestState>, deps: Deps): void {
  router.get('/authorize', authorizeEndpoint(deps));
  router.post(decisionPath, decisionEndpoint(deps));
}
