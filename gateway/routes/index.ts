import Router from '@koa/router';
import type { Deps, RequestState } from '../context.js';
import { resourceMetadataPath, resourceMetadata } from '../mcp/access/read-access.js';
import { mcpEndpoint } from '../mcp/endpoint.js';
import { readinessCheck } from '../operations/readiness.js';
import { openApiText } from '../prepared/documentation.js';
import { addApp, addPages } from './pages.js';
import { FixedRoutes } from './fixed-routes.js';
import { home } from './home.js';
import { staticText } from './static-answer.js';
import { routeTable } from './table.js';
import { showPage, takeForm } from '../web/site/mount-page.js';
import { sitePages } from '../web/site/site-pages.js';
import { styleSheet } from '../web/style-sheet.js';
import { webScript } from '../web/web-file.js';
import type { Middleware } from 'koa';
import { authorizationMetadata } from '../auth/oauth/metadata.js';
import { registerEndpoint } from '../auth/oauth/register/register-endpoint.js';
import { revokeEndpoint } from '../auth/oauth/revoke-endpoint.js';
import { tokenEndpoint } from '../auth/oauth/token/token-endpoint.js';
import { authorizeEndpoint } from '../auth/oauth/authorize/authorize-endpoint.js';
import { decisionPath } from '../auth/oauth/authorize/consent-page.js';
import { decisionEndpoint } from '../auth/oauth/authorize/decision-endpoint.js';

/** Keeps tokens out of every cache (RFC 6749, 5.1). */
const withoutCache: Middleware<RequestState> = (ctx, next) => {
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Pragma', 'no-cache');
  return next();
};

/** Adds the endpoints of OAuth: metadata, registration of clients, and issuing and revoking of tokens. */
function addOauth(router: Router<RequestState>, deps: Deps): void {
  router.get('/.well-known/oauth-authorization-server', authorizationMetadata(deps.settings));
  router.post('/register', withoutCache, registerEndpoint(deps));
  router.post('/token', withoutCache, tokenEndpoint(deps));
  router.post('/revoke', withoutCache, revokeEndpoint(deps));
}

/** Adds the OAuth routes of browsers: the request of a client, and the decision of the user. */
function addAuthorizeRoutes(router: Router<RequestState>, deps: Deps): void {
  router.get('/authorize', authorizeEndpoint(deps));
  router.post(decisionPath, decisionEndpoint(deps));
}

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

/** Adds the pages of accounts with their style and script. Browsers check for a new version of these with every page. */
function addSite(router: Router<RequestState>, deps: Deps): void {
  for (const page of sitePages) {
    router.get(page.path, showPage(page, deps));
    if (page.forms.length > 0) router.post(page.path, takeForm(page, deps));
  }
  const options = { cacheControl: 'no-cache' };
  router.get('/site/site.css', staticText('text/css', styleSheet('site/site.css'), options));
  router.get('/site/site.js', staticText('text/javascript', webScript('site-client/site'), options));
}
