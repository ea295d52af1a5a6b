import type { Middleware } from 'koa';
import { AppError } from '../../compute/model/errors.js';
import type { Log } from '../../storage/process/log.js';
import { failureAnswer } from '../answers/failure-answer.js';
import { isOauthPath } from '../answers/oauth-failure.js';
import type { RequestState } from '../context.js';
import { unknownPath } from '../routes/unknown-path.js';

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
      const { status, retryAfterSeconds, body } = failureAnswer(caught, ctx, log);
      ctx.status = status;
      if (isOauthPath(ctx.path)) ctx.set('Cache-Control', 'no-store');
      if (retryAfterSeconds !== null) ctx.set('Retry-After', String(retryAfterSeconds));
      ctx.body = body;
    }
  };
