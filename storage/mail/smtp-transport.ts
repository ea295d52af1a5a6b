import { createTransport } from 'nodemailer';
import type { MailMessage, MailTransport } from './compose-mail.js';
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
