import type { Context, Middleware } from 'koa';
import { traceFields, type TraceContext, type Tracing } from '../../storage/process/tracing.js';
import type { RequestState } from '../context.js';
import type { Log } from '../../storage/process/log.js';
import type { Metrics } from '../../storage/process/metrics.js';
import type { RouterContext } from '@koa/router';

/** The pattern of the matched route; undefined before or without a match. */
function routeOf(ctx: Pick<Context, 'req'>): string | undefined {
  const { _matchedRoute } = ctx as unknown as Pick<RouterContext, '_matchedRoute'>;
  return _matchedRoute === undefined ? undefined : String(_matchedRoute);
}

const known = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The method if it is a common one; undefined for the thirty others that Node parses. */
const knownMethod = (method: string): string | undefined => (known.has(method) ? method : undefined);

/**
 * Whether the whole answer went to the client; to be asked when the response closes. Node calls a response finished, too, if
 * its connection was destroyed with a part of the answer unsent.
 */
const isAnswered = ({ req, res }: Pick<Context, 'req' | 'res'>): boolean =>
  res.writableFinished && !req.socket.destroyed;

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

/**
 * Records a span per request, following OpenTelemetry's semantic conventions for HTTP servers. It continues the client's
 * trace if the request has a `traceparent`.
 */
export const traceRequests =
  (tracing: Tracing): Middleware<RequestState> =>
  async (ctx, next) => {
    const method = knownMethod(ctx.method) ?? '_OTHER';
    const span = tracing.start(nameOf(method), {
      kind: 'server',
      parent: sentContext(ctx),
      attributes: {
        'http.request.method': method,
        'http.request.method_original': method === ctx.method ? undefined : ctx.method,
        'url.path': ctx.path,
        'url.scheme': ctx.protocol,
        'client.address': ctx.state.address,
        'network.protocol.version': ctx.req.httpVersion,
        'user_agent.original': ctx.get('user-agent') || undefined,
        'tidemark.request_id': ctx.state.requestId,
      },
    });
    ctx.state.trace = span.context;
    ctx.res.once('close', () => {
      const route = routeOf(ctx);
      const { status } = ctx;
      if (route !== undefined) span.rename(`${method} ${route}`);
      const isGone = !isAnswered(ctx);
      const sent = isGone && !ctx.headerSent ? undefined : status;
      span.set({ 'http.route': route, 'http.response.status_code': sent });
      span.end(isGone ? 'client_gone' : status >= 500 ? String(status) : undefined);
    });
    await span.run(next);
  };

/** The span's name before a route is matched; uncommon methods are not part of it. */
const nameOf = (method: string) => (method === '_OTHER' ? 'HTTP' : method);

function sentContext(ctx: Context): TraceContext | null {
  const traceparent = ctx.get('traceparent');
  return traceparent === '' ? null : { traceparent, tracestate: ctx.get('tracestate') };
}
