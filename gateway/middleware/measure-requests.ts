import type { RouterContext } from '@koa/router';
import type { Middleware } from 'koa';
import type { Metrics } from '../../storage/metrics.js';
import type { RequestState } from '../context.js';

/** Methods that count by their name: clients may send thirty more. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Counts requests by the pattern of their route, however many paths are tried. */
export function measureRequests(metrics: Metrics): Middleware<RequestState> {
  let inFlight = 0;
  metrics.read('requestsInFlight', () => [[inFlight]]);
  return async (ctx, next) => {
    const started = performance.now();
    inFlight++;
    ctx.res.once('close', () => {
      inFlight--;
      const { _matchedRoute } = ctx as unknown as Pick<RouterContext, '_matchedRoute'>;
      const route = _matchedRoute === undefined ? 'none' : String(_matchedRoute);
      const status = ctx.res.writableFinished ? String(ctx.status) : 'gone';
      const method = methods.has(ctx.method) ? ctx.method : 'other';
      metrics.requestEnded(method, route, status, performance.now() - started);
    });
    await next();
  };
}
