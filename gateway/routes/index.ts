import Router from '@koa/router';
import type { Deps, RequestState } from '../context.js';
import { backtest } from '../operations/backtest.js';
import { chart } from '../operations/chart.js';
import { flipIntelligence } from '../operations/flip-intelligence.js';
import { login } from '../operations/login.js';
import { readiness } from '../operations/readiness.js';
import { mount } from './mount.js';
import { platformOf } from './platform.js';

/** Every route of the gateway. */
export function routes(deps: Deps): Router<RequestState> {
  const router = new Router<RequestState>({ sensitive: true, strict: true });

  router.post('/backend/login', mount(login, deps, platformOf));
  router.post('/backend/core-line/chart', mount(chart, deps));
  router.post('/backend/core-line/flip-intelligence', mount(flipIntelligence, deps));
  router.post('/backend/core-line/backtest', mount(backtest, deps));

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
