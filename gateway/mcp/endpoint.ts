import { Readable } from 'node:stream';
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type AuthInfo,
  type McpServerFactory,
} from '@modelcontextprotocol/server';
import type { Middleware, ParameterizedContext } from 'koa';
import { readHostedClients } from '../../storage/users/hosted-clients.js';
import { AppError } from '../../compute/model/errors.js';
import type { Deps, RequestState } from '../context.js';
import { inHandSlot } from '../routes/caller.js';
import { readJsonValue } from '../routes/json-body.js';
import { setChallenge, serviceUrl, readAccess } from './access/read-access.js';
import { chargeAhead, chargeCalls, chargePoints, answerLimit, keptLimit } from './access/charge-calls.js';
import { knownHostCheck } from './access/known-host.js';
import { type McpExchange, type McpAccess, RequestExchange } from './exchange.js';
import { authExtra, callKey, serverFactory } from './mcp-server.js';
import { SingleCallServer, singleCall } from './single-call.js';
import { readMessages, type McpMessages } from './messages.js';
import { issueSession, requireOwnSession } from './session-id.js';
import { readToolSelection } from './tool-selection.js';
import type { TokenScope } from '../../storage/users/token-scopes.js';
import type { Tool } from './tool.js';

type Context = ParameterizedContext<RequestState>;

const mostBodyBytes = 1024 * 1024;
/** An idle stream sends a comment this often, so that proxies keep it open. */
const keepAliveMs = 15_000;
/** Most open streams for changes of lists. The lists do not change while a gateway runs, so few streams are enough. */
const mostSubscriptions = 64;

/**
 * The MCP connector: Streamable HTTP without state, so that any gateway can answer any request. It checks and charges a
 * request step by step, in the order below; then the SDK answers it.
 */
export function mcpEndpoint(deps: Deps): Middleware<RequestState> {
  const { settings, log } = deps;
  const checkHost = knownHostCheck(settings);
  const hostedClient = readHostedClients(settings.MCP_HOSTED_CLIENTS);
  const factory = serverFactory(deps);
  const singleCalls = new SingleCallServer(factory());
  const handler = createMcpHandler(factory, {
    keepAliveMs,
    maxSubscriptions: mostSubscriptions,
    maxRequestBodySize: mostBodyBytes,
    onerror: (error) => log.debug({ err: error }, 'MCP request refused'),
  });
  const serve: Serve = async (request, messages, authInfo) => {
    if (messages === null) return handler.fetch(request, { authInfo });
    const options = { authInfo, parsedBody: messages.body };
    const isJson = !messages.needsStream && (await isLegacyRequest(request, messages.body));
    return isJson ? serveLegacyJson(factory, request, options) : handler.fetch(request, options);
  };
  return async (ctx) => {
    let messages: McpMessages | null = null;
    try {
      checkHost(ctx);
      const found = await readAccess(ctx, deps);
      const charged = chargeAhead(ctx, deps, found, hostedClient);
      const ahead = await charged.catch((error: unknown) => keptLimit(ctx, found, error));
      const access = ahead instanceof AppError ? found : ahead;
      const selection = readToolSelection(new URLSearchParams(ctx.querystring), (name) => ctx.get(name));
      if (ctx.method === 'POST') messages = readMessages(await readJsonValue(ctx, mostBodyBytes));
      if (ahead instanceof AppError && messages?.isFree !== true) throw ahead;
      const { called, tables } = messages ?? noCalls;
      if (called.length > 0) ctx.state.tools = called.map(({ listing }) => listing.name);
      requireOwnSession(ctx, access.user);
      requireScopes(called, access);
      if (access === ahead) await chargeCalls(ctx, deps, { called, tables }, access, hostedClient);
      const call = singleCall(ctx, messages);
      const exchange = new RequestExchange(ctx, access, {
        selection,
        callId: call?.id ?? null,
        charge: (points) => chargePoints(ctx, deps, points, { ...access, paid: 0 }, hostedClient),
        slot: () => inHandSlot(ctx, deps),
      });
      await cancelCalls(messages, exchange, deps);
      if (messages?.isInitialize) issueSession(ctx, access.user);
      if (call) sendJson(ctx, await singleCalls.answer(call, authOf(exchange)));
      else await answer(ctx, serve, exchange, messages);
    } catch (error) {
      if (answerLimit(ctx, error, messages)) return;
      setChallenge(ctx, error, serviceUrl(settings, ctx));
      throw error;
    }
  };
}

/** For a request without messages, such as GET for a stream: it calls nothing. */
const noCalls: Pick<McpMessages, 'called' | 'tables'> = { called: [], tables: 0 };

/** Cancels the calls that the messages name. Each runs in another request, perhaps at another gateway. */
async function cancelCalls(
  messages: McpMessages | null,
  exchange: McpExchange,
  { runningCalls }: Deps,
): Promise<void> {
  const keys = (messages?.cancelled ?? []).map((id) => callKey(exchange, id));
  for (const key of keys) if (key !== null) await runningCalls.cancel(key);
}

/** How the exchange reaches the handlers through the SDK. */
const authOf = (exchange: McpExchange): AuthInfo => ({
  token: '',
  clientId: exchange.user?.userId ?? 'guest',
  scopes: [...exchange.scopes],
  extra: authExtra(exchange),
});

function sendJson(ctx: Context, text: string): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Content-Type', 'application/json');
  ctx.body = text;
}

/** Answers the messages of a request, as the SDK does. */
type Serve = (request: Request, messages: McpMessages | null, authInfo: AuthInfo) => Promise<Response>;

/** Lets the SDK answer, and sends what it answers. */
async function answer(
  ctx: Context,
  serve: Serve,
  exchange: McpExchange,
  messages: McpMessages | null,
): Promise<void> {
  const request = new Request(`http://localhost${ctx.path}`, {
    method: ctx.method,
    headers: headersOf(ctx),
    signal: exchange.signal,
  });
  const response = await serve(request, messages, authOf(exchange));
  ctx.status = response.status;
  for (const [name, value] of response.headers) if (!hopHeaders.has(name)) ctx.set(name, value);
  if (!ctx.res.hasHeader('Cache-Control')) ctx.set('Cache-Control', 'no-store');
  if (response.body === null) {
    ctx.body = null;
    ctx.status = response.status;
    return;
  }
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  ctx.body = isStream ? Readable.fromWeb(response.body) : await response.text();
}

/** Headers of one connection; Node sets its own. */
const hopHeaders = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding']);

function headersOf({ req }: Context): [string, string][] {
  return Object.entries(req.headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  );
}

/**
 * Answers a request of a revision up to 2025-11-25 with one JSON body. The SDK's own way answers each such request with an
 * event stream, which costs twice as much, is not compressed, and is needed only for progress.
 */
async function serveLegacyJson(
  factory: McpServerFactory,
  request: Request,
  { authInfo, parsedBody }: { authInfo: AuthInfo; parsedBody: unknown },
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = await factory({ era: 'legacy', authInfo, requestInfo: request });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { authInfo, parsedBody });
  } finally {
    void server.close().catch(() => undefined);
  }
}

/** Throws `unauthorized` without a token and `forbidden` with one that does not allow what the called tools need. */
function requireScopes(called: readonly Tool[], { user, scopes }: McpAccess): void {
  const needed = called
    .map(({ listing }) => listing.scope)
    .filter((scope): scope is TokenScope => scope !== 'public');
  const lacking = [...new Set(needed)].filter((scope) => !scopes.has(scope));
  if (lacking.length === 0) return;
  const details = { scope: lacking.join(' ') };
  if (!user) {
    const message = 'sign in first: this tool reads an account';
    throw new AppError('unauthorized', message, { details: { ...details, challenge: '' } });
  }
  const message = `the token does not allow this: ${lacking.join(' and ')} is needed`;
  throw new AppError('forbidden', message, { details: { ...details, challenge: 'insufficient_scope' } });
}
