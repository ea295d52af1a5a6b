import Router from '@koa/router';
import type { Deps, RequestState } from '../context.js';
import { openApi } from '../openapi/document.js';
import { readiness } from '../operations/readiness.js';
import { docsPage } from '../web/docs/page.js';
import { webFile } from '../web/web-file.js';
import { fixedAnswer, page } from './fixed-answer.js';
import { addPages } from './pages.js';
import { routeTable } from './table.js';

/** Every route of the gateway. */
export function routes(deps: Deps): Router<RequestState> {
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  for (const { method, path, handler } of routeTable) router.register(path, [method], handler(deps));

  const description = openApi(deps.settings);
  router.get('/openapi.json', fixedAnswer('application/json', JSON.stringify(description)));

  router.get('/docs', page(docsPage(description, deps.settings)));
  router.get('/docs/docs.css', fixedAnswer('text/css', webFile('docs/docs.css')));
  addPages(router);

  router.get('/healthz', (ctx) => {
    ctx.body = { alive: true };
  });
  router.get('/readyz', async (ctx) => {
    const answer = await readiness(deps);
    ctx.status = answer.ready ? 200 : 503;
    ctx.body = answer;
  });
  return router;
}
