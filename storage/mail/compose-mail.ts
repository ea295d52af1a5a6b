import { linkPaths, type MailKind } from './mail-kinds.js';

/** What a mail says: the sentences before the link, the words of the link, and the sentences after it. `{time}` is that of its reason. */
interface MailWords {
  subject: string;
  before: readonly string[];
  button: string;
  after: readonly string[];
}

const words: Record<MailKind, MailWords> = {
  verify: {
    subject: 'Confirm your e-mail for Tidemark',
    before: ['A Tidemark account was made with this e-mail address. Confirm that it is yours:'],
    button: 'Confirm e-mail',
    after: [
      'The link works once, for 24 hours.',
      'If you did not make this account, do nothing. It stays unconfirmed, and can neither reach an exchange nor follow signals.',
    ],
  },
  reset: {
    subject: 'Choose a new password for Tidemark',
    before: ['A new password was asked for the Tidemark account with this e-mail address. Choose it here:'],
    button: 'Choose a new password',
    after: [
      'The link works once, for 1 hour. It ends all sessions and access tokens of the account and disconnects its apps.',
      'If you did not ask for this, do nothing. Your password stays as it is.',
    ],
  },
  changed: {
    subject: 'A new password is set for Tidemark',
    before: [
      'The password of the Tidemark account with this e-mail address was changed on {time}. All other sessions have ended, and all connected apps are disconnected.',
      'If you changed it, there is nothing to do.',
      'If you did not, choose another password at once:',
    ],
    button: 'Choose another password',
    after: [
      'Then sign in and look at the pages Security, Access tokens and Exchanges of your account, and at the channels that you follow. Keys of exchanges and subscriptions go on working until you remove them, and personal access tokens until you revoke them or choose a new password by mail.',
    ],
  },
  known: {
    subject: 'You already have an account for Tidemark',
    before: [
      'Someone, perhaps you, wanted to make a Tidemark account with this e-mail address on {time}. It has one already, which stays as it is. Sign in to it here:',
    ],
    button: 'Sign in',
    after: [
      'The page also helps if you have forgotten the password.',
      'If it was not you, there is nothing to do.',
    ],
  },
  key: {
    subject: 'An exchange refuses your API key for Tidemark',
    before: [
      'On {time} an exchange refused the API key with which Tidemark executes signals for you. Your subscriptions on this exchange are paused: nothing more is bought.',
      'Tidemark may not be able to see or sell what you hold there. Stops that stand on the exchange remain there; do not count on any other stop or target.',
      'Look at the key on the exchange, or connect another one:',
    ],
    button: 'Look at your exchanges',
    after: ['Then resume the subscriptions. They do not resume by themselves.'],
  },
  churn: {
    subject: 'A channel of signals is halted for Tidemark',
    before: [
      "On {time} Tidemark halted a channel of signals because it churns: its fees took too much of its subscribers' capital, or it sent far more signals than usual. It gets no new signals; what its subscribers hold is managed as before.",
      'The command npm run admin -- trading list says which channel it is and why; npm run admin -- trading resume --channel ID lets it go on, once you have spoken with its partner.',
      'The state of the service is here:',
    ],
    button: 'Look at the service',
    after: ['You get this mail because your account has the operator role.'],
  },
  cancelled: {
    subject: 'An order at your exchange was cancelled by hand for Tidemark',
    before: [
      'On {time} Tidemark found that an order of a signal was cancelled at the exchange, and not by Tidemark. It is not placed again. If it was a stop, Tidemark watches its price instead, and sells at market when it is reached.',
      'If it was you, there is nothing to do. If not, someone else has access to your account: change its password and remove its API keys on the exchange. What Tidemark may do there is here:',
    ],
    button: 'Look at your exchanges',
    after: ['The timeline of the signal names the order.'],
  },
  oversold: {
    subject: 'An order that came late sold more than a signal held for Tidemark',
    before: [
      'On {time} Tidemark found that an order whose request was lost on its way reached the exchange after its position had been closed another way, and was filled. It sold coins that the signal had not bought, or no longer held. Tidemark does not buy them back by itself, so that no second mistake follows.',
      'Look at what your account holds, and buy back what you want to:',
    ],
    button: 'Look at your exchanges',
    after: ['The timeline of the signal names the order, its price and the quantity.'],
  },
  unserved: {
    subject: 'An open signal needs you because it is not served for Tidemark',
    before: [
      'On {time} Tidemark found that it cannot go on with a signal that is open for you: trading on its exchange is turned off, a fault stops it, or the exchange does not trade it or lets nothing be sold. Its stop is neither watched nor moved, and nothing is sold for you. Orders that stand at the exchange stay as they are.',
      'Look at your exchange, and close or protect there what you hold. You can also take the signal over here, by disconnecting with handover:',
    ],
    button: 'Look at your exchanges',
    after: ['The timeline of the signal says why. It goes on by itself once that has passed.'],
  },
  displaced: {
    subject: 'Another connection executes signals on your exchange account for Tidemark',
    before: [
      'On {time} somebody who has an API key of the same account of an exchange connected it to Tidemark, and chose that signals are executed there. Your subscriptions on this exchange are paused: nothing more is bought through your connection. What it holds is managed as before.',
      'If it was you, there is nothing to do. If not, someone else has access to your account: change its password and remove the API keys that you did not make on the exchange. Then connect yours again, with takeover, here:',
    ],
    button: 'Look at your exchanges',
    after: ['The subscriptions do not resume by themselves.'],
  },
  settled: {
    subject: 'An exchange settled a contract of yours for Tidemark',
    before: [
      'On {time} Tidemark found that an exchange has settled a contract that it trades no more, and closed your position in it at its price. The signal has ended with this profit or loss, which its timeline and your record show.',
      'Look at the account on the exchange:',
    ],
    button: 'Look at your exchanges',
    after: ['There is nothing else to do.'],
  },
  liquidated: {
    subject: 'An exchange liquidated your position for Tidemark',
    before: [
      'On {time} Tidemark found that an exchange has closed a position of yours by force, because its margin was used up or to reduce the risk of others. The signal has ended with this loss, which its timeline and your record show.',
      'Look at the account on the exchange, and at what your subscriptions may risk:',
    ],
    button: 'Look at your exchanges',
    after: [
      'Lower leverage or a smaller share for each signal keeps a position further from its liquidation.',
    ],
  },
};

export interface MailFacts {
  to: string;
  /** Without a slash at its end. */
  serviceUrl: string;
  /** Of the link; null for a mail whose link does nothing by itself. */
  token: string | null;
  /** When it was asked for. */
  at: Date;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => entities[sign]);

/** The mail of a kind to an address, as text and as HTML with the same words. */
export function composeMail(kind: MailKind, { to, serviceUrl, token, at }: MailFacts): MailMessage {
  const { subject, button, after } = words[kind];
  const before = words[kind].before.map((sentence) => sentence.replace('{time}', timeInWords(at)));
  const link = `${serviceUrl}${linkPaths[kind]}${token === null ? '' : `?token=${token}`}`;
  const text = [...before, link, ...after, `Tidemark, ${serviceUrl}`].join('\n\n');
  return {
    to,
    subject,
    text: `${text}\n`,
    html: htmlOf({ subject, before, button, after }, link, serviceUrl),
  };
}

/** `2026-11-22 at 19:45 UTC` */
const timeInWords = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' at ')} UTC`;

const paragraph = (markup: string) => `<p>${markup}</p>`;

const htmlOf = ({ subject, before, button, after }: MailWords, link: string, serviceUrl: string): string =>
  [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head><body>`,
    ...before.map((sentence) => paragraph(escaped(sentence))),
    paragraph(`<a href="${escaped(link)}"><strong>${escaped(button)}</strong></a>`),
    paragraph(`Or copy this address into your browser:<br>${escaped(link)}`),
    ...after.map((sentence) => paragraph(escaped(sentence))),
    paragraph(`Tidemark, ${escaped(serviceUrl)}`),
    '</body></html>',
    '',
  ].join('\n');

/** A mail as a transport sends it. */
export interface MailMessage {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Sends mails. Throws the error that prevents it. */
export interface MailTransport {
  send(mail: MailMessage): Promise<void>;
}
