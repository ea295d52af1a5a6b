import type { Middleware } from 'koa';
import type { Log } from '../../storage/process/log.js';
import { traceFields } from '../../storage/process/tracing.js';
import type { RequestState } from '../context.js';
import { isAnswered } from './is-answered.js';

/** The status in the log of a request whose client left before its answer was sent; it is never answered. */
const clientLeft = 499;

/** A request that took longer is slow. */
const slowMs = 1_000;

/**
 * Logs one line per request, when its answer has been sent or its client has disconnected: at level debug where nothing was wrong, at
 * level info where it failed or was slow.
 */
export const accessLog =
  (log: Log): Middleware<RequestState> =>
  (ctx, next) => {
    if (!log.isLevelEnabled('info')) return next();
    const started = performance.now();
    ctx.res.once('close', () => {
      const ms = Math.round((performance.now() - started) * 100) / 100;
      const { method, path } = ctx;
      const { tools } = ctx.state;
      const isSent = isAnswered(ctx);
      const status = isSent ? ctx.status : clientLeft;
      const ids = { traceId: ctx.state.requestId, ...traceFields(ctx.state.trace) };
      const level = status >= 400 || ms >= slowMs ? 'info' : 'debug';
      log[level](
        { ...ids, method, path, ...(tools ? { tools } : {}), status, ip: ctx.state.address, ms },
        isSent ? 'request done' : 'client gone',
      );
    });
    return next();
  };
