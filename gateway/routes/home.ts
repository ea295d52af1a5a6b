import type { Middleware } from 'koa';
import type { RequestState } from '../context.js';
import { version } from '../../storage/process/version.js';

/** The entry points of the service. */
const places = {
  service: 'Tidemark',
  version,
  docs: '/docs',
  openapi: '/openapi.json',
  mcp: '/mcp',
  dashboard: '/dashboard',
  health: '/healthz',
  readiness: '/readyz',
  analyses: '/backend/analysis/list-analyses',
};

/** Answers at `/`: browsers are sent to the documentation, programs get JSON that says where things are. */
export const home: Middleware<RequestState> = (ctx) => {
  ctx.vary('Accept');
  ctx.set('Cache-Control', 'public, max-age=60');
  // JSON comes first: a program that takes anything is no browser.
  if (ctx.accepts('json', 'html') === 'html') ctx.redirect('/docs');
  else ctx.body = places;
};
