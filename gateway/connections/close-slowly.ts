import type { Socket } from 'node:net';

/** How much a client may still send after the last answer; what follows is left unread. */
const mostDiscardedBytes = 256 * 1024;
const lingerMs = 2_000;

/**
 * Stops parsing what a client sends and drops it. Beyond a limit nothing more is read, so that TCP itself stops the client.
 */
export function discardInput(socket: Socket): void {
  let left = mostDiscardedBytes;
  // With a listener for `data` Node's HTTP server no longer reads the socket in its parser; its own listener is removed.
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left <= 0) socket.pause();
  });
  socket.resume();
}

/**
 * Ends a connection on which the client may still be sending (a lingering close): the answer goes out, then the end of the
 * stream. Closing at once would reset the connection, and the client could lose the answer before it has read it. The
 * connection is gone when the client closes it, or after 2 s.
 */
export function closeSlowly(socket: Socket, lastBytes = ''): void {
  if (socket.destroyed) return;
  discardInput(socket);
  socket.on('error', () => undefined);
  const rest = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(rest));
  socket.end(lastBytes);
}
