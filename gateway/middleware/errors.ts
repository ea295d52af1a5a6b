import type { Middleware } from 'koa';
import { AppError } from '../../compute/model/errors.js';
import { nameFailure } from '../../storage/index.js';
import type { Log } from '../../storage/log.js';
import type { RequestState } from '../context.js';
import { failed, retryAfter, statusOf } from '../envelope.js';

/** The one exit of every error: the envelope with its status. What was not foreseen is logged and not shown. */
export const errors =
  (log: Log): Middleware<RequestState> =>
  async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined) {
        throw new AppError('unknown_path', `there is nothing at "${ctx.path.slice(0, 100)}"`);
      }
      if (ctx.status === 405 || ctx.status === 501) {
        throw new AppError('method_not_allowed', `"${ctx.path.slice(0, 100)}" does not take ${ctx.method}`);
      }
    } catch (caught) {
      const named = nameFailure(caught);
      const error =
        named instanceof AppError ? named : new AppError('unexpected', 'unexpected error', { cause: named });
      if (error.kind === 'bug') log.error({ traceId: ctx.state.requestId, err: error }, 'request failed');
      ctx.status = statusOf(error);
      const seconds = retryAfter(error);
      if (seconds !== null) ctx.set('Retry-After', String(seconds));
      ctx.body = failed(error, ctx.state.requestId);
    }
  };
