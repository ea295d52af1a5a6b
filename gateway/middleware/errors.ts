import type { Middleware, ParameterizedContext } from 'koa';
import { AppError } from '../../compute/model/errors.js';
import type { Log } from '../../storage/process/log.js';
import { failureAnswer, isOauthPath } from '../answers/failure-answer.js';
import type { RequestState } from '../context.js';
import { unknownPath } from '../routes/unknown-path.js';
import { errorPage } from '../web/site/error-page.js';
import { sendPage } from '../web/site/send-page.js';

/** Programs call these paths: their errors are data, also in a browser. */
const apiPaths =
  /^\/(backend|operator|mcp|v\d+|\.well-known|token|register|revoke|openapi\.json|healthz|readyz)(\/|$)/;

/** Whether an error is answered with a page: on the pages themselves, and for browsers at paths where nothing is. */
function wantsPage(ctx: ParameterizedContext<RequestState>): boolean {
  if (ctx.state.isPage === true) return true;
  if (apiPaths.test(ctx.path)) return false;
  // A program that takes anything is no browser.
  return ctx.accepts('json', 'html') === 'html';
}

/** Turns every error into an answer: status, Retry-After and a body in the form of the path's API. Bugs are logged and not shown. */
export const errors =
  (log: Log): Middleware<RequestState> =>
  async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined) {
        throw unknownPath(ctx.path);
      }
      if (ctx.status === 405 || ctx.status === 501) {
        throw new AppError(
          'method_not_allowed',
          `"${ctx.path.slice(0, 100)}" does not support ${ctx.method}`,
        );
      }
    } catch (caught) {
      const { status, retryAfterSeconds, message, body } = failureAnswer(caught, ctx, log);
      if (isOauthPath(ctx.path)) ctx.set('Cache-Control', 'no-store');
      if (retryAfterSeconds !== null) ctx.set('Retry-After', String(retryAfterSeconds));
      if (wantsPage(ctx))
        return sendPage(ctx, status, errorPage({ status, message, requestId: ctx.state.requestId }));
      ctx.status = status;
      ctx.body = body;
    }
  };
