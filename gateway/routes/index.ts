import Router from '@koa/router';
import type { Deps, RequestState } from '../context.js';
import { openApi } from '../openapi/document.js';
import { readiness } from '../operations/readiness.js';
import { addPages } from './pages.js';
import { staticText } from './static-answer.js';
import { routeTable } from './table.js';

/** Every route of the gateway. */
export function routes(deps: Deps): Router<RequestState> {
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  for (const { method, path, handler } of routeTable) router.register(path, [method], handler(deps));

  const document = openApi(deps.settings);
  router.get('/openapi.json', staticText('application/json', JSON.stringify(document)));
  addPages(router, document, deps.settings);
  addHealth(router, deps);
  return router;
}

function addHealth(router: Router<RequestState>, deps: Deps): void {
  router.get('/healthz', (ctx) => {
    ctx.body = { alive: true };
  });
  router.get('/readyz', async (ctx) => {
    const answer = await readiness(deps);
    ctx.status = answer.ready ? 200 : 503;
    ctx.body = answer;
  });
}
