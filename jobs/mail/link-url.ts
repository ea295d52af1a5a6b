import { isIPv6 } from 'node:net';
import { readRunFile } from '../../storage/embedded/run-file.js';
import type { Settings } from '../../storage/process/settings.js';

/**
 * The URL of the service for links in mails, without a slash at its end: PUBLIC_URL, else the address at which the gateway of
 * this machine listens. It never comes from the headers of a request, because a link sends its secret to that address.
 */
export async function linkUrl({
  PUBLIC_URL,
  DATA_DIR,
  HOST,
  PORT,
}: Pick<Settings, 'PUBLIC_URL' | 'DATA_DIR' | 'HOST' | 'PORT'>): Promise<string> {
  if (PUBLIC_URL !== '') return PUBLIC_URL.replace(/\/$/, '');
  const running = await readRunFile(DATA_DIR);
  return running?.gatewayUrl ?? `http://${isIPv6(HOST) ? `[${HOST}]` : HOST}:${PORT}`;
}
