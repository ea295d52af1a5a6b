import { MailSender } from '../../../jobs/mail/mail-sender.js';
import type { LinkKind } from '../../../storage/mail/mail-kinds.js';
import type { MailMessage } from '../../../storage/mail/compose-mail.js';
import { until } from '../process/until.js';
import type { TestService } from './gateway.js';

/** The mails that a service sends. */
export interface Mailbox {
  received: MailMessage[];
  /** Mails to an address, oldest first. */
  mailsTo: (email: string) => MailMessage[];
  /** The token of the link in the mail of that number to an address, when it works. */
  tokenTo: (email: string, number?: number) => Promise<string>;
  close: () => Promise<void>;
}

/** Sends the mails of a service to a list in memory, within a tenth of a second. */
export function openMailbox({ storage, deps, url }: TestService): Mailbox {
  const received: MailMessage[] = [];
  const sender = new MailSender({
    storage,
    transport: { send: async (mail) => void received.push(mail) },
    serviceUrl: async () => url,
    now: () => Date.now(),
    log: deps.log,
    everyMs: 100,
  });
  const mailsTo = (email: string) => received.filter(({ to }) => to === email);
  return {
    received,
    mailsTo,
    async tokenTo(email, number = 1) {
      const { text } = await until('the mail', () => mailsTo(email).at(number - 1));
      const [, kind, token] = /\/(verify|reset)\?token=([\w-]{43})\n/.exec(text)!;
      await until('the link', () => storage.mails.ownerOf(kind as LinkKind, token));
      return token;
    },
    close: () => sender.close(),
  };
}
