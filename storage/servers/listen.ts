import type { AddressInfo, Server } from 'node:net';
import { AppError } from '../../compute/model/errors.js';

export interface ListenAddress {
  host: string;
  port: number;
  setting: 'PORT' | 'METRICS_PORT';
}

/**
 * Connections that wait for the server to accept them, as many as Linux allows by default. Above it the system drops their
 * packets, and a client tries again after 1, 3, 7 s and so on.
 */
const waitingConnections = 4_096;

/** Binds the server to the address and returns its URL. Throws `port_in_use`, `invalid_settings`. */
export async function listen(server: Server, { host, port, setting }: ListenAddress): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      const message = taken
        ? `port ${port} on ${host} is taken; set ${setting} to a free one`
        : `nothing can listen on port ${port} of ${host}: ${error.code}; correct ${setting} or ${setting.replace('PORT', 'HOST')}`;
      reject(new AppError(taken ? 'port_in_use' : 'invalid_settings', message, { cause: error }));
    });
    server.listen({ port, host, backlog: waitingConnections }, resolve);
  });
  const bound = server.address() as AddressInfo;
  return `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`;
}

/** Throws `invalid_settings` if the port of the gateway is one of the `count` ports for metrics, which begin at METRICS_PORT. */
export function requireTwoPorts(
  { PORT, METRICS_PORT }: { PORT: number; METRICS_PORT: number | null },
  count = 1,
): void {
  if (PORT === 0 || METRICS_PORT === null || PORT < METRICS_PORT || PORT >= METRICS_PORT + count) return;
  const found = count === 1 ? 'both' : `those of ${count} processes begin at ${METRICS_PORT}, and PORT is`;
  throw new AppError('invalid_settings', `settings: PORT and METRICS_PORT must differ, ${found} ${PORT}`);
}
