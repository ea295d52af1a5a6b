import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { listenLocally } from '../servers/listen-locally.js';
import { ExchangeRefusal } from './book/exchange-refusal.js';
import { ExchangeControl, type ControlName } from './control.js';
import type { ExchangeState, RequestLine } from './exchange-state.js';
import { requireRights } from './key-rights.js';
import type { RequestFault } from './fault-script.js';
import type { Answer, ExchangeDialect } from './exchange-dialect.js';
import type { Endpoint, RestCall } from './rest/rest-call.js';
import { ExchangeSockets } from './sockets/exchange-sockets.js';
import { PrivateStreams } from './streams/private-streams.js';
import type { ReceivedRequest } from './rest/signed-account.js';

/** The longest that a request stays without an answer. */
const longestSilenceMs = 120_000;

/** The exchange's REST API, and the paths below `/control` by which a test steers it. */
export class ExchangeServer {
  readonly #state: ExchangeState;
  readonly #dialect: ExchangeDialect;
  readonly #server: Server;
  readonly #sockets: ExchangeSockets;
  readonly #streams: PrivateStreams;
  readonly control: ExchangeControl;

  constructor(state: ExchangeState, dialect: ExchangeDialect) {
    this.#state = state;
    this.#dialect = dialect;
    this.#server = createServer((message, response) => {
      this.#serve(message, response).catch((error: unknown) => {
        response.destroy();
        console.error(error);
      });
    });
    this.#streams = new PrivateStreams(state, dialect.privateStreams, this.#server);
    this.#sockets = new ExchangeSockets(state, dialect.sockets, this.#server, (path) =>
      this.#streams.has(path),
    );
    this.control = new ExchangeControl(state, dialect, this.#sockets, this.#streams);
  }

  get server(): Server {
    return this.#server;
  }

  /** Answers its URL. */
  listen(port: number): Promise<string> {
    return listenLocally(this.#server, port);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path, query = ''] = (message.url ?? '/').split('?', 2);
    const { method = 'GET', headers } = message;
    const request = { method, path, query, headers, body: await text(message) };
    if (path.startsWith('/control/')) return send(response, this.#controlled(request));
    const state = this.#state;
    const kind = this.#dialect.kindOf(request);
    const apiKey = this.#dialect.apiKeyOf(request);
    const fault = state.faults.next({ kind, path, query, apiKey });
    const params = this.#dialect.paramsOf(request);
    const counted = state.quotas?.count(request, { params, apiKey, nowMs: state.nowMs });
    const line: RequestLine = {
      ...{ at: state.nowMs, cameAt: performance.now(), kind, method, path, query, apiKey, status: 0 },
      clientOrderId:
        this.#dialect.clientOrderIdNames.map((name) => params.get(name)).find((id) => id !== null) ?? null,
      ...(counted?.refusal && { isBeyondLimit: true }),
      fault: fault && `${fault.kind}${'isDone' in fault ? ` ${fault.isDone ? 'after' : 'before'}` : ''}`,
    };
    state.requests.push(line);
    response.on('close', () => (line.status = response.statusCode));
    response.sendDate = false;
    response.setHeader('Date', new Date(state.nowMs).toUTCString());
    for (const [name, value] of Object.entries({ ...counted?.headers, ...counted?.refusal?.headers }))
      response.setHeader(name, value);
    if (counted?.refusal) return send(response, counted.refusal);
    await this.#answer(request, fault, response);
  }

  /** Does what a test asks for. */
  #controlled({ path, body }: ReceivedRequest): Answer {
    const name = path.slice('/control/'.length) as ControlName;
    try {
      const method = this.control[name] as (...given: unknown[]) => unknown;
      const answer = method.apply(this.control, JSON.parse(body) as unknown[]);
      return { status: 200, body: answer ?? {} };
    } catch (error) {
      if (!(error instanceof ExchangeRefusal)) throw error;
      return { status: error.status, body: { code: error.code, message: error.message } };
    }
  }

  async #answer(
    request: ReceivedRequest,
    fault: RequestFault | null,
    response: ServerResponse,
  ): Promise<void> {
    const state = this.#state;
    if (fault && isFailure(fault) && !fault.isDone) return this.#fail(fault, response);
    if (fault?.kind === 'late arrival') await pause(fault.ms);
    const answer = this.#changed(this.#do(request, fault), request);
    if (fault?.kind === 'held') await fault.until;
    if (fault === null || fault.kind === 'held' || fault.kind === 'hidden' || fault.kind === 'late arrival')
      return send(response, answer);
    if (fault.kind === 'late answer') {
      await pause(fault.ms);
      return send(response, answer);
    }
    if (fault.kind === 'odd rows') return send(response, this.#oddRows(answer));
    if (fault.kind === 'unreadable') return void response.writeHead(200).end('<html>Bad Gateway</html>');
    if (fault.kind === 'empty') return send(response, this.#dialect.success({}, state.nowMs));
    if (fault.kind === 'stop client') {
      await stopFor(state.clientPid, fault.ms);
      return send(response, answer);
    }
    return this.#fail(fault, response);
  }

  /** The rows of candles and of trades as the test changes them. */
  #changed(answer: Answer, request: ReceivedRequest): Answer {
    const isChanged = this.#dialect.kindOf(request) === 'trades' || request.path.includes('kline');
    const rows = isChanged ? this.#dialect.listIn(answer.body) : null;
    rows?.splice(0, rows.length, ...this.#state.changeRows([...rows]));
    return answer;
  }

  async #fail(fault: Failure, response: ServerResponse): Promise<void> {
    switch (fault.kind) {
      case 'stall':
        response.writeHead(200, { 'Content-Length': 100 }).write('[[1,');
        return;
      case 'silence':
        setTimeout(() => response.destroy(), longestSilenceMs).unref();
        return;
      case 'reset':
        response.destroy();
        return;
      case 'kill client':
        if (this.#state.clientPid !== null) process.kill(this.#state.clientPid, 'SIGKILL');
        response.destroy();
        return;
      case 'stop client':
        await stopFor(this.#state.clientPid, fault.ms);
        response.destroy();
        return;
      case 'status': {
        const {
          status,
          code = -1000,
          message = 'An unknown error occurred.',
          retryAfter,
          headers,
          body,
        } = fault;
        for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
        if (retryAfter !== undefined) response.setHeader('Retry-After', String(retryAfter));
        const isPage = status >= 500 && fault.code === undefined;
        const usual = isPage ? '<html></html>' : this.#dialect.faultBody(code, message);
        send(response, { status, body: body ?? usual });
      }
    }
  }

  /** Does what a request asks for. */
  #do(request: ReceivedRequest, fault: RequestFault | null): Answer {
    const { nowMs, maintenanceUntil } = this.#state;
    try {
      if (nowMs < maintenanceUntil)
        throw new ExchangeRefusal(-1016, 'This service is no longer available.', 503);
      return this.#dialect.success(this.#result(request, fault), nowMs);
    } catch (error) {
      if (!(error instanceof ExchangeRefusal)) throw error;
      return this.#dialect.refusal(error, request, nowMs);
    }
  }

  #result(request: ReceivedRequest, fault: RequestFault | null): unknown {
    const { method, path } = request;
    const { engine, nowMs } = this.#state;
    const name = `${method} ${path}`;
    const call: RestCall = {
      params: this.#dialect.paramsOf(request),
      apiKey: '',
      engine,
      nowMs,
      startedAtMs: this.#state.startedAtMs,
      path,
      host: request.headers.host ?? '',
      apply: (command) => {
        const order = this.#state.apply(command);
        if (order && fault?.kind === 'hidden') this.#state.hide(order, fault.ms);
        return order;
      },
      isHidden: (order) => this.#state.isHidden(order),
      trades: () => [],
    };
    const open = endpointOf(this.#dialect.openEndpoints, name);
    if (open) return open({ ...call, apiKey: this.#dialect.apiKeyOf(request) });
    const signed = endpointOf(this.#dialect.signedEndpoints, name);
    if (!signed) throw new ExchangeRefusal(-1, `no endpoint ${name}`, 404);
    const { setup } = this.#dialect.signedAccount(request, engine, nowMs);
    requireRights(this.#dialect.rights, setup, { name, params: call.params });
    return signed({ ...call, apiKey: setup.apiKey, trades: () => this.#state.tradesOf(setup.apiKey) });
  }

  /** Lists twice, in the opposite order. */
  #oddRows(answer: Answer): Answer {
    const rows = this.#dialect.listIn(answer.body);
    rows?.splice(0, rows.length, ...[...rows, ...rows].reverse());
    return answer;
  }
}

/** Faults that take the place of the answer. */
type Failure = Extract<RequestFault, { isDone?: boolean }>;

const isFailure = (fault: RequestFault): fault is Failure => 'isDone' in fault || fault.kind === 'status';

/** The endpoint of a method and path, whose last parts may be names such as `:id`. */
function endpointOf(endpoints: Readonly<Record<string, Endpoint>>, name: string): Endpoint | undefined {
  if (Object.hasOwn(endpoints, name)) return endpoints[name];
  const parts = name.split('/');
  const found = Object.keys(endpoints).find((each) => {
    const names = each.split('/');
    return names.length === parts.length && names.every((own, n) => own.startsWith(':') || own === parts[n]);
  });
  return found === undefined ? undefined : endpoints[found];
}

function send(response: ServerResponse, { status, body }: Answer): void {
  const isText = typeof body === 'string';
  response
    .writeHead(status, { 'Content-Type': isText ? 'text/plain' : 'application/json' })
    .end(isText ? body : JSON.stringify(body));
}

/** Stops a process for a time. */
async function stopFor(pid: number | null, ms: number): Promise<void> {
  if (pid === null) return;
  process.kill(pid, 'SIGSTOP');
  await pause(ms);
  process.kill(pid, 'SIGCONT');
}
