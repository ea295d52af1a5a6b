import type { Server, IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import type { Settings } from '../../storage/process/settings.js';
import { networkOf } from '../../storage/users/client-network.js';
import { plainAddress } from '../../storage/users/plain-address.js';
import type { FairScheduler } from '../limits/fair-scheduler.js';
import { senderOf } from '../middleware/client-address.js';
import { ClientConnection, type Answerer } from './client-connection.js';
import { ConnectionTable } from './connection-table.js';
import { AppError, type ErrorCode } from '../../compute/model/errors.js';
import { badCredentials } from '../auth/bad-credentials.js';
import { isPartnerPath } from '../answers/failure-answer.js';
import { Refusal } from '../answers/refusal.js';

const otherVersion = [505, 'http_version_not_supported', 'HTTP/1.1 and HTTP/1.0 are supported'] as const;

/** Answers to errors of Node's HTTP parser, by error code. */
const refusals: Partial<Record<string, readonly [status: number, code: ErrorCode, message: string]>> = {
  // HTTP/2 without an upgrade.
  HPE_PAUSED_H2_UPGRADE: otherVersion,
  HPE_HEADER_OVERFLOW: [431, 'headers_too_large', 'the headers are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [400, 'invalid_body', 'chunk extensions are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'invalid_body', 'the request took too long to arrive'],
};
const badRequest = [400, 'invalid_body', 'the request is not valid HTTP'] as const;

interface ParserError extends NodeJS.ErrnoException {
  /** What the parser says: "Invalid HTTP version" of one that is well-formed, such as HTTP/1.2. */
  reason?: string;
  /** The bytes with the fault; absent after a timeout without bytes. */
  rawPacket?: Buffer;
}

/** The answer to bytes that are not valid HTTP, or that do not arrive in time. */
function parserRefusal({ code: fault = '', reason, rawPacket }: ParserError): Refusal {
  const [status, code, message] =
    reason === 'Invalid HTTP version' ? otherVersion : (refusals[fault] ?? badRequest);
  const path = pathIn(rawPacket);
  // A key that is too large to be read counts as an invalid key.
  if (code === 'headers_too_large' && isPartnerPath(path)) return new Refusal(403, path, badCredentials());
  return new Refusal(status, path, new AppError(code, message));
}

const connectRefusal = (): Refusal =>
  new Refusal(405, '/', new AppError('method_not_allowed', 'CONNECT is not supported'), {
    Allow: 'GET, POST',
  });

/** Answers an Expect header other than 100-continue. */
function answerExpectation(
  { url = '/', headers: { expect } }: IncomingMessage,
  response: ServerResponse,
): void {
  const message = `the expectation "${expect?.slice(0, 60)}" is not supported`;
  new Refusal(417, url, new AppError('invalid_input', message)).send(response);
}

/** The path in the packet; '/' if the packet does not start with a request line. */
const pathIn = (packet?: Buffer): string =>
  /^[A-Z]+ (\/\S*)/.exec(packet?.toString('latin1', 0, 100) ?? '')?.[1] ?? '/';

type ConnectionSettings = Pick<
  Settings,
  'MAX_CONNECTIONS' | 'MAX_CONNECTIONS_NETWORK' | 'RESPONSE_TIMEOUT_MS' | 'TRUSTED_HOPS'
>;

interface ConnectionDeps {
  settings: ConnectionSettings;
  scheduler: FairScheduler;
}

/** How often a connection is looked at in the time in which a client has to read something. */
const checksOfTimeout = 4;

/** Admits connections. The requests of a connection are answered one after the other, each at the turn of its network. */
export function serveConnections(
  server: Server,
  { settings, scheduler }: ConnectionDeps,
  answer: Answerer,
): void {
  const connections = new WeakMap<Duplex, ClientConnection>();
  const table = new ConnectionTable({
    most: settings.MAX_CONNECTIONS,
    // Behind proxies all connections come from a few addresses, so a cap by network would block clients.
    mostOfNetwork: settings.TRUSTED_HOPS > 0 ? Infinity : settings.MAX_CONNECTIONS_NETWORK,
  });
  const checks = setInterval(() => {
    for (const connection of table.all()) connection.closeIfUnread(checksOfTimeout);
  }, settings.RESPONSE_TIMEOUT_MS / checksOfTimeout).unref();
  server.once('close', () => clearInterval(checks));

  server.on('connection', (socket) => {
    scheduler.noteAccepted();
    const connection: ClientConnection = new ClientConnection(socket, {
      busy: () => table.markBusy(connection),
      idle: () => table.markIdle(connection),
      ready: (request, begin) => scheduler.run(senderOf(request, settings.TRUSTED_HOPS).network, begin),
    });
    const network = peerNetwork(socket);
    if (!table.add(connection, network)) return connection.close();
    connections.set(socket, connection);
    socket.once('close', () => table.remove(connection));
    // Node's HTTP server, whose listener comes first, begins to read in the next tick; a pause before it has no effect.
    process.nextTick(() => socket.pause());
    scheduler.read(network, () => socket.resume());
  });

  const answerBy =
    (answerer: Answerer): Answerer =>
    (request, response) =>
      connections.get(request.socket)?.take(request, response, answerer);
  server.on('request', answerBy(answer));
  // The status 100 is sent when the body is read, so an early refusal comes without it.
  server.on('checkContinue', answerBy(answer));
  server.on('checkExpectation', answerBy(answerExpectation));
  server.on('connect', (_request, socket) => {
    connections.get(socket)?.refuse(connectRefusal());
  });
  server.on('clientError', (error: ParserError, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else connections.get(socket)?.refuse(parserRefusal(error));
  });
}

/** The network at the other end of a connection: the client's, or that of a proxy. */
const peerNetwork = ({ remoteAddress = '' }: Socket): string =>
  networkOf(plainAddress(remoteAddress) ?? remoteAddress);
