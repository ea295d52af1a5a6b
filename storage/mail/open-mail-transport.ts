import { join } from 'node:path';
import type { Log } from '../process/log.js';
import type { Settings } from '../process/settings.js';
import { fileTransport } from './file-transport.js';
import type { MailTransport } from './mail-message.js';
import { smtpTransport } from './smtp-transport.js';

/** The folder in which mails are files; null where a server sends them. */
export const mailFolderOf = ({
  SMTP_URL,
  DATA_DIR,
}: Pick<Settings, 'SMTP_URL' | 'DATA_DIR'>): string | null =>
  SMTP_URL === '' ? join(DATA_DIR, 'mail') : null;

/** Sends mails to the server of SMTP_URL; without one they become files in DATA_DIR/mail. */
export function openMailTransport(
  settings: Pick<Settings, 'SMTP_URL' | 'MAIL_FROM' | 'DATA_DIR'>,
  log: Pick<Log, 'info'>,
): MailTransport {
  const folder = mailFolderOf(settings);
  const { SMTP_URL, MAIL_FROM } = settings;
  return folder === null ? smtpTransport(SMTP_URL, MAIL_FROM) : fileTransport(folder, MAIL_FROM, log);
}
