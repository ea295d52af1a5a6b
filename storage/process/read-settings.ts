import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { AppError } from '../../compute/model/errors.js';
import type { Settings } from './settings.js';
import { settingsSchema } from './settings-schema.js';

/** Settings whose values are never repeated in a message. */
const secretSettings = new Set(['AI_API_SECRETS', 'ASSISTANT_API_KEY', 'SECRETS_KEY', 'SMTP_URL']);

/**
 * The variables of the `.env` file and, with precedence, of `env`. Empty variables count as absent: one of `env` that is empty
 * takes back what the file says.
 */
export function readEnvironment(
  env: NodeJS.ProcessEnv = process.env,
  folder = process.cwd(),
): Record<string, string | undefined> {
  const file = resolve(folder, '.env');
  const fromFile = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
  const given = Object.entries({ ...fromFile, ...env }).filter(([, value]) => value !== '');
  return Object.fromEntries(given);
}

const withoutPassword = (text: string) => text.replace(/\/\/.*@/, '//***@');

/**
 * Reads the settings: `env` over `.env` over the defaults, with absolute paths. Throws `invalid_settings` with all faults in
 * one message.
 */
export function readSettings(env: NodeJS.ProcessEnv = process.env, folder = process.cwd()): Settings {
  const checked = settingsSchema.validate(readEnvironment(env, folder), {
    abortEarly: false,
    stripUnknown: true,
    errors: { wrap: { label: false } },
  });
  if (checked.error) {
    const faults = checked.error.details.map(({ message, context }) =>
      secretSettings.has(context?.key ?? '')
        ? message
        : `${message}, found "${withoutPassword(String(context?.value))}"`,
    );
    throw new AppError('invalid_settings', `settings: ${faults.join('; ')}`);
  }
  const { value } = checked;
  const dataDir = resolve(folder, value.DATA_DIR);
  const serversDir =
    value.SERVERS_DIR === '' ? resolve(dataDir, 'servers') : resolve(folder, value.SERVERS_DIR);
  return { ...value, DATA_DIR: dataDir, SERVERS_DIR: serversDir };
}
