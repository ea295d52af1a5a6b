import { isIPv6 } from 'node:net';
import { openMailTransport } from '../../storage/mail/open-mail-transport.js';
import type { Storage } from '../../storage/index.js';
import type { RedisClock } from '../../storage/servers/redis-clock.js';
import type { RoleContext } from '../../storage/process/role.js';
import { MailSender } from './mail-sender.js';
import { readRunFile } from '../../storage/embedded/run-file.js';
import type { Settings } from '../../storage/process/settings.js';

/** Sends the mails that are asked for, until it is closed. */
export const startMails = ({
  settings,
  storage,
  clock,
  log,
}: Pick<RoleContext, 'settings' | 'log'> & { storage: Storage; clock: RedisClock }): MailSender =>
  new MailSender({
    storage,
    transport: openMailTransport(settings, log),
    serviceUrl: () => linkUrl(settings),
    now: () => clock.now(),
    log,
  });

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
