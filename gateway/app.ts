import { createServer, type Server } from 'node:http';
import Koa from 'koa';
import type { Deps, RequestState } from './context.js';
import { isDisconnect } from './connections/is-disconnect.js';
import { originForm } from './connections/origin-form.js';
import { serveConnections } from './connections/serve-connections.js';
import { accessLog } from './middleware/access-log.js';
import { closeUnread } from './middleware/close-unread.js';
import { compress } from './middleware/compress.js';
import { crossOrigin } from './middleware/cross-origin.js';
import { errors } from './middleware/errors.js';
import { measureRequests } from './middleware/measure-requests.js';
import { identify } from './middleware/identify.js';
import { recordActivity } from './middleware/record-activity.js';
import { requestForm } from './middleware/request-form.js';
import { securityHeaders } from './middleware/security-headers.js';
import { traceRequests } from './middleware/trace-requests.js';
import { routes } from './routes/index.js';

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
