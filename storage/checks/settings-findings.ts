import type { Settings } from '../process/settings.js';
import { findingsOf, type Finding } from './finding.js';

const { ok, unfit, warning } = findingsOf('settings');

type CheckedSettings = Pick<
  Settings,
  'MARKET' | 'SECRETS_KEY' | 'DATA_DIR' | 'LIVE_TRADING' | 'MONGODB_URL' | 'SMTP_URL' | 'PUBLIC_URL'
>;

/** Whether the settings are fit for production. */
export function settingsFindings({
  MARKET,
  SECRETS_KEY,
  DATA_DIR,
  LIVE_TRADING,
  MONGODB_URL,
  SMTP_URL,
  PUBLIC_URL,
}: CheckedSettings): Finding[] {
  return [
    MARKET === 'demo'
      ? warning(
          'MARKET',
          'demo: invented candles, and an account whose password is printed',
          'set MARKET to an exchange, or to csv',
        )
      : ok('MARKET', MARKET),
    SECRETS_KEY === ''
      ? warning(
          'SECRETS_KEY',
          `empty: the key is a file in ${DATA_DIR}`,
          'set SECRETS_KEY, the same on every machine, and keep a copy of it',
        )
      : ok('SECRETS_KEY', 'set'),
    LIVE_TRADING === 'on' && MONGODB_URL === ''
      ? unfit(
          'LIVE_TRADING',
          'on, with an embedded database: one process without a replica holds all orders',
          'set MONGODB_URL to a replica set, or LIVE_TRADING to off',
        )
      : ok('LIVE_TRADING', LIVE_TRADING),
    publicUrlFinding(PUBLIC_URL),
    mailFinding({ SMTP_URL, PUBLIC_URL, DATA_DIR }),
  ];
}

/** Apps that connect by OAuth are told the addresses under PUBLIC_URL, and send passwords and tokens there. */
function publicUrlFinding(url: string): Finding {
  if (url === '')
    return warning(
      'PUBLIC_URL',
      'empty: apps that connect are told the address of this machine',
      'set PUBLIC_URL to the https address that clients use',
    );
  return new URL(url).protocol === 'https:'
    ? ok('PUBLIC_URL', url)
    : warning(
        'PUBLIC_URL',
        `${url}: passwords and tokens are sent without encryption`,
        'put a proxy with TLS in front, and set PUBLIC_URL to its https address',
      );
}

function mailFinding({
  SMTP_URL,
  PUBLIC_URL,
  DATA_DIR,
}: Pick<CheckedSettings, 'SMTP_URL' | 'PUBLIC_URL' | 'DATA_DIR'>): Finding {
  if (SMTP_URL === '')
    return warning(
      'SMTP_URL',
      `empty: mails to users are files in ${DATA_DIR}/mail`,
      'set SMTP_URL and MAIL_FROM to your mail server',
    );
  return PUBLIC_URL === ''
    ? warning('SMTP_URL', 'set, but links in mails lead to this machine', 'set PUBLIC_URL')
    : ok('SMTP_URL', 'set');
}
