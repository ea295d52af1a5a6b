/** What a page says after a form has been accepted, by the word in its URL: links of others can't put words into a page. */
const notices = {
  'account-deleted': 'The account is deleted.',
  'app-disconnected': 'The app is disconnected.',
  'confirm-asked':
    'A mail is on its way to that address. Open its link to confirm that it is yours. You can sign in already.',
  'exchange-connected':
    'The exchange is connected. Its account is read within a minute. Subscriptions on it are paused until you resume them.',
  'exchange-removed': 'The exchange is removed, with its key. Subscriptions on it are paused.',
  'holding-added': 'The paper account holds more now.',
  'mail-sent': 'A new mail is on its way. Its link replaces that of earlier mails.',
  'password-changed':
    'The password is changed. All other sessions have ended, and all connected apps are disconnected.',
  'password-set':
    'Your new password is set. All sessions and access tokens have ended, and all connected apps are disconnected. Sign in with it.',
  'reset-asked':
    'If the e-mail has an account, a mail with a link is on its way. The link works for an hour. After many requests no more are sent for some hours.',
  'session-ended': 'The session has ended.',
  'sessions-ended': 'All other sessions have ended.',
  'signed-out': 'You are signed out.',
  'token-revoked': 'The token is revoked.',
  verified: 'Your e-mail is confirmed. Other sessions of the account have ended.',
  'verified-anew':
    'Your e-mail is confirmed, and whatever was set up for the account before has ended, with its password. Have a mail sent to choose a new one.',
} as const satisfies Record<string, string>;

export type Notice = keyof typeof notices;

/** The parameter of the URL that names the notice. */
export const noticeParameter = 'done';

/** Notices about a mail that was just written. */
const ofMails: ReadonlySet<string> = new Set<Notice>(['confirm-asked', 'mail-sent', 'reset-asked']);

/**
 * The sentence for the word in a URL; null for none and for an unknown one. `mailFolder`: where mails lie as files; null where they
 * are sent.
 */
export function noticeText(word: string | undefined, mailFolder: string | null): string | null {
  if (word === undefined || !Object.hasOwn(notices, word)) return null;
  const text = notices[word as Notice];
  return mailFolder !== null && ofMails.has(word)
    ? `${text} This service has no mail server: it writes its mails as files into ${mailFolder}.`
    : text;
}

/** A path with the word of a notice. */
export const withNotice = (path: string, notice: Notice | undefined): string =>
  notice === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}${noticeParameter}=${notice}`;
