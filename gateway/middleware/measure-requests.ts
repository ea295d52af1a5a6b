import type { Middleware } from 'koa';
import type { Metrics } from '../../storage/process/metrics.js';
import type { RequestState } from '../context.js';
import { isAnswered } from './is-answered.js';
import { knownMethod, routeOf } from './route-of.js';

/** Measures requests by the pattern of their route, so that the number of labels is bounded. */
export function measureRequests(metrics: Metrics): Middleware<RequestState> {
  let inFlight = 0;
  metrics.read('requestsInFlight', () => [[inFlight]]);
  return async (ctx, next) => {
    const started = performance.now();
    inFlight++;
    ctx.res.once('close', () => {
      inFlight--;
      const route = routeOf(ctx) ?? 'none';
      const status = isAnswered(ctx) ? String(ctx.status) : 'gone';
      const method = knownMethod(ctx.method) ?? 'other';
      metrics.requestEnded(method, route, status, performance.now() - started);
    });
    await next();
  };
}
