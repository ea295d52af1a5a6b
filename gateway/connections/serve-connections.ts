import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Settings } from '../../storage/process/settings.js';
import { networkOf } from '../../storage/users/client-network.js';
import { plainAddress } from '../../storage/users/plain-address.js';
import { answerExpectation, connectRefusal, type ParserError } from '../answers/refusal.js';
import type { FairScheduler } from '../limits/fair-scheduler.js';
import { senderOf } from '../middleware/client-address.js';
import { ClientConnection, type Answerer } from './client-connection.js';
import { ConnectionTable } from './connection-table.js';

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
    const { remoteAddress = '' } = socket;
    const network = networkOf(plainAddress(remoteAddress) ?? remoteAddress);
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
    else connections.get(socket)?.refuseBytes(error);
  });
}
