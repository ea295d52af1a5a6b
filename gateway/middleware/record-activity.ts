import type { Middleware } from 'koa';
import type { ActivityRecorder } from '../../storage/cluster/activity-recorder.js';
import type { RequestState } from '../context.js';

/** Counts requests under /backend and /v3, with the time until their answer is ready. Pages and health checks do not count. */
export const recordActivity =
  (activity: ActivityRecorder): Middleware<RequestState> =>
  async (ctx, next) => {
    const isCounted = ctx.path.startsWith('/backend/') || ctx.path.startsWith('/v3/');
    const started = performance.now();
    await next();
    if (isCounted) activity.record('requests', performance.now() - started, ctx.status >= 500);
  };
