import type { Settings } from '../process/settings.js';
import { findingsOf, type Finding } from './finding.js';

const { ok, warning } = findingsOf('settings');

/** Whether the settings are those of a service that others rely on. */
export function settingsFindings({
  MARKET,
  SECRETS_KEY,
  DATA_DIR,
}: Pick<Settings, 'MARKET' | 'SECRETS_KEY' | 'DATA_DIR'>): Finding[] {
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
  ];
}
