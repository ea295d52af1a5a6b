import Router from '@koa/router';
import type { Deps, RequestState } from '../context.js';
import { backtest } from '../operations/backtest.js';
import { changePassword } from '../operations/change-password.js';
import { chart } from '../operations/chart.js';
import { endSessions } from '../operations/end-sessions.js';
import { flipIntelligence } from '../operations/flip-intelligence.js';
import { listSessions } from '../operations/list-sessions.js';
import { loginIdp } from '../operations/login-idp.js';
import { login } from '../operations/login.js';
import { logout } from '../operations/logout.js';
import { readiness } from '../operations/readiness.js';
import { signUp } from '../operations/sign-up.js';
import { mount } from './mount.js';
import { platformOf } from './platform.js';

/** Every route of the gateway. */
export function routes(deps: Deps): Router<RequestState> {
  const router = new Router<RequestState>({ sensitive: true, strict: true });

  router.post('/backend/login', mount(login, deps, platformOf));
  router.post('/backend/login/idp', mount(loginIdp, deps, platformOf));
  router.post('/backend/signup', mount(signUp, deps, platformOf));
  router.post('/backend/logout', mount(logout, deps));
  router.get('/backend/sessions', mount(listSessions, deps));
  router.post('/backend/sessions/end', mount(endSessions, deps));
  router.post('/backend/password', mount(changePassword, deps));
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
