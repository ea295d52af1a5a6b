import type { Settings } from '../process/settings.js';
import { findingsOf, type Finding } from './finding.js';

const { ok, unfit, warning } = findingsOf('settings');

/** Whether the settings are those of a service that others rely on. */
export function settingsFindings({
  MARKET,
  SECRETS_KEY,
  DATA_DIR,
  LIVE_TRADING,
  MONGODB_URL,
}: Pick<Settings, 'MARKET' | 'SECRETS_KEY' | 'DATA_DIR' | 'LIVE_TRADING' | 'MONGODB_URL'>): Finding[] {
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
  ];
}
