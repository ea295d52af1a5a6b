import type { ParameterizedContext } from 'koa';
import type { RequestState } from '../../context.js';

/** Programs call these paths: their errors are data, also in a browser. */
const apiPaths =
  /^\/(backend|operator|mcp|v\d+|\.well-known|token|register|revoke|openapi\.json|healthz|readyz)(\/|$)/;

/** Whether an error is answered with a page: on the pages themselves, and for browsers at paths where nothing is. */
export function wantsPage(ctx: ParameterizedContext<RequestState>): boolean {
  if (ctx.state.isPage === true) return true;
  if (apiPaths.test(ctx.path)) return false;
  // A program that takes anything is no browser.
  return ctx.accepts('json', 'html') === 'html';
}
