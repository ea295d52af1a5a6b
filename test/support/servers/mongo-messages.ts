import { connect, type Socket } from 'node:net';

export const headerBytes = 16;
const opQuery = 2004;
/** In OP_MSG: header, flags, the kind of the first section, the length of its document and the type of its first field. */
const nameOffset = headerBytes + 4 + 1 + 4 + 1;

/** Calls back with each whole message of the wire protocol of MongoDB. */
export function readMessages(socket: Socket, onMessage: (message: Buffer) => void): void {
  let received: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    while (received.length >= headerBytes && received.length >= received.readInt32LE(0)) {
      const message = received.subarray(0, received.readInt32LE(0));
      received = received.subarray(message.length);
      onMessage(message);
    }
  });
}

/** The name of the command, which is that of the first field. OP_QUERY has the name of a collection and two numbers before. */
export function commandName(message: Buffer): string {
  const isQuery = message.readInt32LE(12) === opQuery;
  const start = isQuery ? message.indexOf(0, headerBytes + 4) + 1 + 8 + 4 + 1 : nameOffset;
  return message.toString('latin1', start, message.indexOf(0, start));
}

/** Connects a client with the server at a URL, and answers that end: both close together, and are among `sockets` until then. */
export function connectTo(target: URL, client: Socket, sockets: Set<Socket>): Socket {
  const server = connect(Number(target.port), target.hostname);
  for (const socket of [client, server]) {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      client.destroy();
      server.destroy();
    });
  }
  return server;
}
