import { createServer, type Server } from 'node:net';
import { listenLocally } from '../servers/listen-locally.js';
import { freePort } from './service-process.js';

async function hold(port: number): Promise<Server> {
  const server = createServer();
  await listenLocally(server, port);
  return server;
}

const release = (server: Server) => new Promise((resolve) => server.close(resolve));

/** The first of so many free ports in a row. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = await freePort();
    const held = await Promise.allSettled(Array.from({ length: count }, (_, n) => hold(first + n)));
    const servers = held.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    await Promise.all(servers.map(release));
    if (servers.length === count) return first;
  }
}
