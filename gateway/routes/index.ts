import Router from '@koa/router';
import type { Deps, RequestState } from '../context.js';
import { assessRisk } from '../operations/assess-risk.js';
import { backtest } from '../operations/backtest.js';
import { chart } from '../operations/chart.js';
import { flipIntelligence } from '../operations/flip-intelligence.js';
import { getPrice } from '../operations/get-price.js';
import { login } from '../operations/login.js';
import { readiness } from '../operations/readiness.js';
import { mount } from './mount.js';
import { mountSigned } from './mount-signed.js';
import { platformOf } from './platform.js';

/** Every route of the gateway. */
export function routes(deps: Deps): Router<RequestState> {
  const router = new Router<RequestState>({ sensitive: true, strict: true });

  router.post('/backend/login', mount(login, deps, platformOf));
  router.post('/backend/core-line/chart', mount(chart, deps));
  router.post('/backend/core-line/flip-intelligence', mount(flipIntelligence, deps));
  router.post('/backend/core-line/backtest', mount(backtest, deps));

  const risk = mountSigned(assessRisk, deps);
  router.get('/v3/ai/assess_risk', risk).post('/v3/ai/assess_risk', risk);
  const price = mountSigned(getPrice, deps);
  router.get('/v3/ai/get_price', price).post('/v3/ai/get_price', price);

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
