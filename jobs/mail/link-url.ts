import { readRunFile } from '../../storage/embedded/run-file.js';
import type { Settings } from '../../storage/process/settings.js';

/**
 * The URL of the service for links in mails, without a slash at its end: PUBLIC_URL, else where the gateway of this machine
 * listens. Never what a request says of itself: a link leads where its secret may go.
 */
export async function linkUrl({
  PUBLIC_URL,
  DATA_DIR,
  HOST,
  PORT,
}: Pick<Settings, 'PUBLIC_URL' | 'DATA_DIR' | 'HOST' | 'PORT'>): Promise<string> {
  if (PUBLIC_URL !== '') return PUBLIC_URL.replace(/\/$/, '');
  const running = await readRunFile(DATA_DIR);
  return running?.gatewayUrl ?? `http://${HOST}:${PORT}`;
}
