import { openMailTransport } from '../../storage/mail/open-mail-transport.js';
import type { Storage } from '../../storage/index.js';
import { redisNow } from '../../storage/servers/redis-now.js';
import type { RoleContext } from '../../storage/process/role.js';
import type { Redis } from 'ioredis';
import { linkUrl } from './link-url.js';
import { MailSender } from './mail-sender.js';

/** Sends the mails that are asked for, until it is closed. */
export const startMails = ({
  settings,
  storage,
  redis,
  log,
}: Pick<RoleContext, 'settings' | 'log'> & { storage: Storage; redis: Redis }): MailSender =>
  new MailSender({
    storage,
    transport: openMailTransport(settings, log),
    serviceUrl: () => linkUrl(settings),
    now: () => redisNow(redis),
    log,
  });
