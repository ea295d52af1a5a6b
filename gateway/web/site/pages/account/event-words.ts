import type { AuditDetails, AuditEventName } from '../../../../../storage/users/audit-event.js';

type Words = (details: AuditDetails) => string;

const named = ({ name }: AuditDetails): string => (name === undefined ? '' : ` “${name}”`);
const to = (words: string, { exchange }: AuditDetails): string =>
  exchange === undefined ? words : `${words}: ${exchange}`;
const attempts: Readonly<Record<string, string>> = {
  'change the password': 'Wrong password when changing it',
  'delete the account': 'Wrong password when deleting the account',
};

/** Why an app is disconnected, where its user has not done it. */
const endings: Readonly<Record<string, string>> = {
  app: 'by itself',
  code: 'because its code came a second time or did not fit: another may have tried to use it',
  refresh: 'because a token that it had replaced was used again: another may have it',
};
const disconnected = (details: AuditDetails): string =>
  [`App${named(details)} disconnected`, endings[String(details.by)]].filter(Boolean).join(' ');

const words: Readonly<Record<AuditEventName, Words>> = {
  sign_in: ({ by }) => (by === undefined || by === 'password' ? 'Sign-in' : `Sign-in by ${by}`),
  failed_sign_in: ({ to: attempt }) => attempts[String(attempt)] ?? 'Failed sign-in',
  session_ended: ({ count = 1 }) => (count === 1 ? 'Session ended' : `${count} sessions ended`),
  token_made: (details) => `Access token${named(details)} made`,
  token_used_from_new_address: (details) => `Access token${named(details)} used from a new network`,
  token_revoked: (details) =>
    details.by === 'app'
      ? `App${named(details)} has given back an access token`
      : `Access token${named(details)} revoked`,
  app_connected: (details) => `App${named(details)} connected`,
  app_disconnected: disconnected,
  client_registered: (details) => `Client${named(details)} registered`,
  password_changed: () => 'Password changed',
  reset_asked: () => 'Reset of the password asked for',
  email_verified: () => 'E-mail confirmed',
  exchange_connected: (details) => to('Exchange connected', details),
  exchange_removed: (details) => to('Exchange removed', details),
  partner_command: (details) => to('Acted for a partner', details),
  account_made: () => 'Account made',
  account_removed: () => 'Account removed',
};

/** An event in words. */
export const eventWords = (event: AuditEventName, details: AuditDetails): string => words[event](details);
