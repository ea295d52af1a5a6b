import type { Middleware } from 'koa';
import { AppError } from '../../compute/model/errors.js';
import { mapStorageError } from '../../storage/index.js';
import type { Log } from '../../storage/process/log.js';
import { traceFields } from '../../storage/process/tracing.js';
import type { RequestState } from '../context.js';
import { retryAfter, statusOf } from '../answers/envelope.js';
import { unknownPath } from '../routes/unknown-path.js';
import { errorBody } from '../answers/error-form.js';

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
      const named = mapStorageError(caught);
      const error =
        named instanceof AppError ? named : new AppError('unexpected', 'unexpected error', { cause: named });
      const ids = { traceId: ctx.state.requestId, ...traceFields(ctx.state.trace) };
      if (error.kind === 'bug') log.error({ ...ids, err: error }, 'request failed');
      ctx.status = statusOf(error);
      const seconds = retryAfter(error);
      if (seconds !== null) ctx.set('Retry-After', String(seconds));
      ctx.body = errorBody(ctx.path, error, ctx.state.requestId);
    }
  };
