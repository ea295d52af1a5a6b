import Router from '@koa/router';
import { addAuthorizeRoutes } from '../auth/oauth/authorize/authorize-routes.js';
import type { Deps, RequestState } from '../context.js';
import { resourceMetadataPath } from '../mcp/access/challenge.js';
import { resourceMetadata } from '../mcp/access/read-access.js';
import { mcpEndpoint } from '../mcp/endpoint.js';
import { readinessCheck } from '../operations/readiness.js';
import { openApiText } from '../prepared/documentation.js';
import { addApp } from './app-routes.js';
import { FixedRoutes } from './fixed-routes.js';
import { home } from './home.js';
import { addOauth } from './oauth-routes.js';
import { addPages } from './pages.js';
import { addSite } from './site-routes.js';
import { staticText } from './static-answer.js';
import { routeTable } from './table.js';

/** Every route of the gateway: those with a fixed path by one lookup, and all of them by their patterns. */
export function routes(deps: Deps): { fixed: FixedRoutes; router: Router<RequestState> } {
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  const fixed = new FixedRoutes();
  for (const { method, path, handler } of routeTable) {
    const handle = handler(deps);
    router.register(path, [method], handle);
    if (!path.includes(':')) fixed.add(method, path, handle);
  }

  addConnector(fixed, router, deps);
  addOauth(router, deps);
  router.get('/', home(deps));
  const document = () => openApiText(deps.settings);
  router.get('/openapi.json', staticText('application/json', document));
  addApp(router, deps);
  addPages(router, deps.settings);
  addSite(router, deps);
  addAuthorizeRoutes(router, deps);
  addHealth(router, deps);
  return { fixed, router };
}

/** The MCP connector. It answers GET and DELETE too, which some of its revisions ask for. */
function addConnector(fixed: FixedRoutes, router: Router<RequestState>, deps: Deps): void {
  const connector = mcpEndpoint(deps);
  for (const method of ['POST', 'GET', 'DELETE']) {
    fixed.add(method, '/mcp', connector);
    router.register('/mcp', [method], connector);
  }
  const metadata = resourceMetadata(deps.settings);
  router.get(resourceMetadataPath, metadata);
  router.get('/.well-known/oauth-protected-resource', metadata);
}

function addHealth(router: Router<RequestState>, deps: Deps): void {
  router.get('/healthz', (ctx) => {
    ctx.body = { alive: true };
  });
  const readiness = readinessCheck(deps);
  router.get('/readyz', async (ctx) => {
    const answer = await readiness();
    ctx.status = answer.ready ? 200 : 503;
    if (!answer.ready) ctx.set('Retry-After', '1');
    ctx.body = answer;
  });
}
