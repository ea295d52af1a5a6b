import type { Context, Middleware } from 'koa';
import type { TraceContext, Tracing } from '../../storage/process/tracing.js';
import type { RequestState } from '../context.js';
import { isAnswered } from './is-answered.js';
import { knownMethod, routeOf } from './route-of.js';

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
