import { createServer, type Server } from 'node:http';
import Koa, { type Middleware } from 'koa';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Deps, RequestState } from './context.js';
import { originForm } from './connections/origin-form.js';
import { serveConnections } from './connections/serve-connections.js';
import { accessLog, measureRequests, traceRequests } from './middleware/trace-requests.js';
import { compress } from './middleware/compress.js';
import { crossOrigin } from './middleware/cross-origin.js';
import { errors } from './middleware/errors.js';
import { identify } from './middleware/identify.js';
import { requestForm } from './middleware/request-form.js';
import { securityHeaders } from './middleware/security-headers.js';
import { routes } from './routes/index.js';
import type { ActivityRecorder } from '../storage/cluster/activity-recorder.js';

/** Counts requests under /backend and /v3, with the time until their answer is ready. Pages and health checks do not count. */
const recordActivity =
  (activity: ActivityRecorder): Middleware<RequestState> =>
  async (ctx, next) => {
    const isCounted = ctx.path.startsWith('/backend/') || ctx.path.startsWith('/v3/');
    const started = performance.now();
    await next();
    if (isCounted) activity.record('requests', performance.now() - started, ctx.status >= 500);
  };

/**
 * Closes the connection after an answer that is given before the whole request has arrived: the rest of the body would have
 * to be read before the next request.
 */
const closeUnread = (): Middleware<RequestState> => async (ctx, next) => {
  await next();
  if (ctx.req.complete) return;
  // A body in the same packet as the headers is parsed within this turn of the event loop.
  await nextTurn();
  if (!ctx.req.complete) ctx.set('Connection', 'close');
};

const codes = new Set(['ECONNABORTED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/** Whether an answer failed because its client disconnected. The access log already says so. */
const isDisconnect = (error: unknown): boolean =>
  error instanceof Error && codes.has((error as NodeJS.ErrnoException).code ?? '');

/** The gateway's HTTP server, not listening yet. */
export function createGateway(deps: Deps): Server {
  const app = new Koa<RequestState>();
  const { fixed, router } = routes(deps);
  app.on('error', (error: unknown) => {
    if (!isDisconnect(error)) deps.log.error({ err: error }, 'answer failed');
  });
  app.use(closeUnread());
  app.use(identify(deps));
  if (deps.tracing) app.use(traceRequests(deps.tracing));
  app.use(accessLog(deps.log));
  if (deps.metrics) app.use(measureRequests(deps.metrics));
  app.use(recordActivity(deps.activity));
  app.use(securityHeaders(deps.settings));
  app.use(crossOrigin(deps.settings));
  app.use(compress());
  app.use(errors(deps.log));
  app.use(requestForm());
  app.use(fixed.dispatch);
  app.use(router.routes());
  app.use(router.allowedMethods());

  const limits = {
    // Twice the 8 kB that a header may have, so that the service answers a header that is too long, not the parser.
    maxHeaderSize: 16 * 1024,
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: 65_000,
    // requestForm checks it and answers in the envelope.
    requireHostHeader: false,
  };
  const handle = app.callback();
  const server = createServer(limits);
  server.headersTimeout = 5_000;
  server.requestTimeout = 10_000;
  serveConnections(server, deps, (request, response) => {
    request.url = originForm(request, deps.settings.PUBLIC_URL);
    void handle(request, response);
  });
  return server;
}
