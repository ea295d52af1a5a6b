import { createServer, type Server, type IncomingMessage } from 'node:http';
import Koa, { type Middleware } from 'koa';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Deps, RequestState } from './context.js';
import { serveConnections } from './connections/serve-connections.js';
import { accessLog, measureRequests, traceRequests } from './middleware/trace-requests.js';
import { crossOrigin } from './middleware/cross-origin.js';
import { errors } from './middleware/errors.js';
import { requestForm } from './middleware/request-form.js';
import { securityHeaders } from './middleware/security-headers.js';
import { routes } from './routes/index.js';
import type { ActivityRecorder } from '../storage/cluster/activity-recorder.js';
import { randomUUID } from 'node:crypto';
import { senderOf } from './middleware/client-address.js';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { plainAddress } from '../storage/users/plain-address.js';
import { AppError } from '../compute/model/errors.js';
import type { JobClient } from '../jobs/requests/job-client.js';

const defaultLimitMs = 20_000;

/** How long before the limit requests that still wait for a job are refused, so that their answers can be sent. */
const refusalMs = 1_000;

/**
 * Stops accepting connections and waits up to `limitMs` for running requests to finish. Those that still wait for a job then
 * are answered with `gateway_closing`, also in event streams; connections that are left are closed.
 */
export async function drain(
  server: Server,
  queues: Pick<JobClient, 'refuseAll'>,
  limitMs = defaultLimitMs,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A keep-alive connection becomes idle only after its last answer.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const refusal = setTimeout(() => {
    void queues.refuseAll(new AppError('gateway_closing', 'this gateway is closing; ask again'));
  }, limitMs - refusalMs);
  const rest = setTimeout(() => server.closeAllConnections(), limitMs);
  await closed;
  clearInterval(idle);
  clearTimeout(refusal);
  clearTimeout(rest);
}

/** Scheme, authority without a user, and the rest of the URL. */
const absoluteForm = /^(https?):\/\/([^/?#@\\]+)([/?][^]*)?$/i;

/**
 * The request target as path and query. An absolute target (RFC 9112, 3.2.2) becomes a path if it names this service: the
 * host of the Host header, of the public URL, or of the connection. The URL of another service stays as it is; text that is no URL becomes `*`.
 */
function originForm(request: IncomingMessage, publicUrl: string): string {
  const { url = '' } = request;
  if (url.startsWith('/')) return url;
  if (!URL.canParse(url)) return '*';
  const [, scheme, authority, rest = '/'] = absoluteForm.exec(url) ?? [];
  if (authority === undefined) return url;
  const host = hostOf(scheme, authority);
  if (host === null || !ownHosts(request, scheme, publicUrl).includes(host)) return url;
  return rest.startsWith('?') ? `/${rest}` : rest;
}

function ownHosts({ headers, socket }: IncomingMessage, scheme: string, publicUrl: string) {
  const { localAddress = '', localPort } = socket;
  const address = plainAddress(localAddress) ?? localAddress;
  return [
    hostOf(scheme, headers.host ?? ''),
    publicUrl === '' ? null : new URL(publicUrl).host,
    hostOf(scheme, `${address.includes(':') ? `[${address}]` : address}:${localPort}`),
    hostOf(scheme, `localhost:${localPort}`),
  ];
}

/** Host and port in lower case, without the usual port of the scheme; null if it is no host. */
function hostOf(scheme: string, authority: string): string | null {
  const url = `${scheme}://${authority}`;
  return URL.canParse(url) ? new URL(url).host : null;
}

const pack = promisify(gzip);
const leastBytes = 1_024;

/** Compresses text from 1 kB on for clients that accept gzip. Streams, bytes and compressed bodies are not changed. */
const compress = (): Middleware<RequestState> => async (ctx, next) => {
  await next();
  const text = textOf(ctx.body);
  if (text === null || ctx.res.hasHeader('Content-Encoding')) return;
  // Set as text, or Koa would stringify it again; the content type does not change.
  if (text !== ctx.body) ctx.body = text;
  if (text.length < leastBytes) return;
  ctx.vary('Accept-Encoding');
  if (ctx.req.headers['accept-encoding'] === undefined) return;
  if (ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') return;
  ctx.body = await pack(text, { level: constants.Z_BEST_SPEED + 3 });
  ctx.set('Content-Encoding', 'gzip');
};

/** The body as the text that Koa would send; null for streams, bytes and empty bodies. */
function textOf(body: unknown): string | null {
  if (typeof body === 'string') return body;
  const isData = typeof body === 'object' && body !== null && !Buffer.isBuffer(body) && !('pipe' in body);
  return isData ? JSON.stringify(body) : null;
}

const acceptable = /^[\w.-]{1,64}$/;

/**
 * Sets the request id (the client's x-request-id if it is valid, else a new one), which is answered in the same header, and
 * the client's address and network. A gateway that shuts down asks the client to use another connection.
 */
const identify =
  ({ settings, ending }: Pick<Deps, 'settings' | 'ending'>): Middleware<RequestState> =>
  (ctx, next) => {
    if (ending.aborted) ctx.set('Connection', 'close');
    const given = ctx.get('x-request-id');
    ctx.state.requestId = acceptable.test(given) ? given : randomUUID();
    const { address, network } = senderOf(ctx.req, settings.TRUSTED_HOPS);
    ctx.state.address = address;
    ctx.state.network = network;
    ctx.set('x-request-id', ctx.state.requestId);
    return next();
  };

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
