import { openMailTransport } from '../../storage/mail/open-mail-transport.js';
import type { Storage } from '../../storage/index.js';
import type { RedisClock } from '../../storage/servers/redis-clock.js';
import type { RoleContext } from '../../storage/process/role.js';
import { linkUrl } from './link-url.js';
import { MailSender } from './mail-sender.js';

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
