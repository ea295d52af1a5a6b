import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Connections that keep coming delay the reading of new ones for no longer than this. */
const longestMs = 1_000;

/**
 * Reads new connections only when no more are waiting to be accepted. Node accepts one in each turn of the event loop: if the
 * requests of the first ones were answered in between, the last of many would wait for seconds.
 */
export function acceptFirst(server: Server): void {
  let unread: Socket[] = [];
  let accepted = 0;
  let begun = 0;
  const readAll = () => {
    for (const socket of unread) socket.resume();
    unread = [];
  };
  const look = (before: number) => {
    const isMore = accepted !== before && performance.now() - begun < longestMs;
    if (isMore) setImmediate(look, accepted);
    else readAll();
  };
  server.on('connection', (socket) => {
    accepted++;
    socket.pause();
    if (unread.push(socket) > 1) return;
    begun = performance.now();
    setImmediate(look, accepted);
  });
}
