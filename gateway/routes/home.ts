import type { Middleware } from 'koa';
import type { Deps, RequestState } from '../context.js';
import { showPage } from '../web/site/mount-page.js';
import { readPageCaller } from '../web/site/page-caller.js';
import { homePage } from '../web/site/pages/home.js';
import { seeOther } from '../web/site/send-page.js';
import { version } from '../../storage/process/version.js';

/** The entry points of the service. */
const places = {
  service: 'Tidemark',
  version,
  app: '/app',
  docs: '/docs',
  openapi: '/openapi.json',
  mcp: '/mcp',
  dashboard: '/app/operator',
  health: '/healthz',
  readiness: '/readyz',
  analyses: '/backend/analysis/list-analyses',
};

/** Answers at `/`: visitors get a page, signed-in browsers the application, and programs JSON that says where things are. */
export function home(deps: Deps): Middleware<RequestState> {
  const show = showPage(homePage, deps);
  return async (ctx, next) => {
    ctx.vary('Accept');
    // JSON comes first: a program that takes anything is no browser.
    if (ctx.accepts('json', 'html') !== 'html') {
      ctx.set('Cache-Control', 'public, max-age=60');
      ctx.body = places;
      return;
    }
    const { user } = await readPageCaller(ctx, deps);
    if (user) seeOther(ctx, '/app');
    else await show(ctx, next);
  };
}
