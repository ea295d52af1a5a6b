import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

const channel = 'net.server.socket';

/** The connections that servers of this process have accepted since then; `socketOf` finds the other end of a client's. */
export function acceptedSockets(): { socketOf: (client: Socket) => Socket | undefined; stop: () => void } {
  const accepted: Socket[] = [];
  const note = (message: unknown) => void accepted.push((message as { socket: Socket }).socket);
  subscribe(channel, note);
  return {
    socketOf: (client) => accepted.find(({ remotePort }) => remotePort === client.localPort),
    stop: () => void unsubscribe(channel, note),
  };
}
