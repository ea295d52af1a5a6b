import { join } from 'node:path';
import type { Log } from '../process/log.js';
import type { Settings } from '../process/settings.js';
import { fileTransport } from './file-transport.js';
import type { MailTransport } from './mail-message.js';
import { smtpTransport } from './smtp-transport.js';

/** Sends mails to the server of SMTP_URL; without one they become files in DATA_DIR/mail. */
export const openMailTransport = (
  { SMTP_URL, MAIL_FROM, DATA_DIR }: Pick<Settings, 'SMTP_URL' | 'MAIL_FROM' | 'DATA_DIR'>,
  log: Pick<Log, 'info'>,
): MailTransport =>
  SMTP_URL === ''
    ? fileTransport(join(DATA_DIR, 'mail'), MAIL_FROM, log)
    : smtpTransport(SMTP_URL, MAIL_FROM);
