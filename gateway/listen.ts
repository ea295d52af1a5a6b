import type { AddressInfo, Server } from 'node:net';
import { AppError } from '../compute/model/errors.js';
import type { Settings } from '../storage/settings.js';

/** Has the server listen where the settings say, and tells where that is. Throws `port_in_use`, `invalid_settings`. */
export async function listen(
  server: Server,
  { PORT, HOST }: Pick<Settings, 'PORT' | 'HOST'>,
): Promise<AddressInfo> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      const message = taken ? `port ${PORT} on ${HOST} is taken; set PORT to a free one` : error.message;
      reject(new AppError(taken ? 'port_in_use' : 'invalid_settings', message, { cause: error }));
    });
    server.listen(PORT, HOST, resolve);
  });
  return server.address() as AddressInfo;
}
