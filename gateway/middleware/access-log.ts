import type { Middleware } from 'koa';
import type { Log } from '../../storage/process/log.js';
import { traceFields } from '../../storage/process/tracing.js';
import type { RequestState } from '../context.js';

/** Logs one line per request, when its answer has been sent or its client has disconnected. */
export const accessLog =
  (log: Log): Middleware<RequestState> =>
  (ctx, next) => {
    if (!log.isLevelEnabled('info')) return next();
    const started = performance.now();
    ctx.res.once('close', () => {
      const ms = Math.round((performance.now() - started) * 100) / 100;
      const { method, path, status } = ctx;
      const outcome = ctx.res.writableFinished ? 'request done' : 'client gone';
      const ids = { traceId: ctx.state.requestId, ...traceFields(ctx.state.trace) };
      log.info({ ...ids, method, path, status, ip: ctx.state.address, ms }, outcome);
    });
    return next();
  };
