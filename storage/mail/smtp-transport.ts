import { createTransport } from 'nodemailer';
import type { MailMessage, MailTransport } from './mail-message.js';
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
  const transport = createTransport({
    ...readSmtpUrl(smtpUrl),
    ...timeouts,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, ...content }: MailMessage) {
      // As an object the address is not parsed: it can't name a second recipient.
      await transport.sendMail({ ...content, from, to: { name: '', address: to } });
    },
  };
}
