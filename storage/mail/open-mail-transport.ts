import { join } from 'node:path';
import type { Log } from '../process/log.js';
import type { Settings } from '../process/settings.js';
import type { MailTransport, MailMessage } from './compose-mail.js';
import { randomBytes } from 'node:crypto';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { preparePrivateFolder } from '../embedded/private-folder.js';
import { createTransport } from 'nodemailer';
import { readMailSender } from './read-mail-sender.js';
import { readSmtpUrl } from './smtp-url.js';

/** A server that answers nothing for this long has failed. */
const timeouts = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
};

/** Sends each mail over a connection of its own to the server at `smtpUrl`. */
export function smtpTransport(smtpUrl: string, from: string): MailTransport {
  const sender = readMailSender(from);
  const transport = createTransport({
    ...readSmtpUrl(smtpUrl),
    ...timeouts,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, ...content }: MailMessage) {
      // As objects the addresses are not parsed: one can't name a second recipient, and a name may hold a colon or a bracket.
      await transport.sendMail({ ...content, from: sender, to: { name: '', address: to } });
    },
  };
}

/** Older mails make room for new ones. */
const mostFiles = 200;

/** Mails are named by time, so that the oldest come first. */
const mailFile = /^[\d-]+T[\d-]+Z-[0-9a-f]+\.txt$/;

/**
 * Writes the text of each mail to a file that only this user of the machine can read, and keeps the newest 200. The log says where it
 * is, never what is in it.
 */
function fileTransport(folder: string, from: string, log: Pick<Log, 'info'>): MailTransport {
  return {
    async send({ to, subject, text }: MailMessage) {
      const lines = [
        `From: ${from}`,
        `To: ${JSON.stringify(to).slice(1, -1)}`,
        `Subject: ${subject}`,
        '',
        text,
      ];
      await preparePrivateFolder(folder);
      const time = new Date().toISOString().replace(/[:.]/g, '-');
      const file = join(folder, `${time}-${randomBytes(4).toString('hex')}.txt`);
      // Written under another name first: a reader never finds half a mail.
      await writeFile(`${file}-draft`, lines.join('\n'), { mode: 0o600 });
      await rename(`${file}-draft`, file);
      await dropOldest(folder);
      log.info({ file }, 'mail written to a file, because SMTP_URL is empty');
    },
  };
}

async function dropOldest(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => mailFile.test(name)).sort();
  const oldest = names.slice(0, Math.max(0, names.length - mostFiles));
  await Promise.all(oldest.map((name) => rm(join(folder, name), { force: true })));
}

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
