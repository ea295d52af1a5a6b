import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { AppError } from '../../compute/model/errors.js';
import type { Settings } from './settings.js';
import { settingsSchema } from './settings-schema.js';

/** Settings whose values are never repeated in a message. */
const secretSettings = new Set(['AI_API_SECRETS', 'ASSISTANT_API_KEY', 'SECRETS_KEY', 'SMTP_URL']);

/** Settings that a file may hold, which `NAME_FILE` names. */
const fileSettings = [...secretSettings, 'MONGODB_URL', 'REDIS_URL'];

/** Settings that must not be empty where NODE_ENV is `production`: what stands in for them is for one machine. */
const productionSettings = ['SECRETS_KEY', 'REDIS_URL', 'MONGODB_URL', 'PUBLIC_URL'];

/**
 * The variables of the `.env` file and, with precedence, of `env`. Empty variables count as absent: one of `env` that is empty
 * takes back what the file says.
 */
export function readEnvironment(
  env: NodeJS.ProcessEnv = process.env,
  folder = process.cwd(),
): Record<string, string | undefined> {
  const fromFile = readEnvFile(resolve(folder, '.env'));
  const given = Object.entries({ ...fromFile, ...env }).filter(([, value]) => value !== '');
  return Object.fromEntries(given);
}

function readEnvFile(file: string): NodeJS.Dict<string> {
  if (!existsSync(file)) return {};
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new AppError(
      'invalid_settings',
      `settings: the file "${file}" cannot be read: ${(error as NodeJS.ErrnoException).code}`,
    );
  }
}

const withoutPassword = (text: string) => text.replace(/\/\/.*@/, '//***@');

/**
 * Reads the settings: `env` over `.env` over the defaults, with absolute paths. Throws `invalid_settings` with all faults in
 * one message.
 */
export function readSettings(env: NodeJS.ProcessEnv = process.env, folder = process.cwd()): Settings {
  const given = readEnvironment(env, folder);
  const own = [...readFiles(given, folder), ...emptyInProduction(given)];
  const checked = settingsSchema.validate(given, {
    abortEarly: false,
    stripUnknown: true,
    errors: { wrap: { label: false } },
  });
  const faults = (checked.error?.details ?? []).map(({ message, context }) =>
    secretSettings.has(context?.key ?? '')
      ? message
      : `${message}, found "${withoutPassword(String(context?.value))}"`,
  );
  if (checked.error || own.length > 0)
    throw new AppError('invalid_settings', `settings: ${[...own, ...faults].join('; ')}`);
  const { value } = checked;
  const dataDir = resolve(folder, value.DATA_DIR);
  const serversDir =
    value.SERVERS_DIR === '' ? resolve(dataDir, 'servers') : resolve(folder, value.SERVERS_DIR);
  return { ...value, DATA_DIR: dataDir, SERVERS_DIR: serversDir };
}

/** Puts the contents of the files that `NAME_FILE` names into the settings; returns what is wrong with them. */
function readFiles(given: Record<string, string | undefined>, folder: string): string[] {
  const faults: string[] = [];
  for (const name of fileSettings) {
    const file = given[`${name}_FILE`];
    if (file === undefined) continue;
    if (given[name] !== undefined) {
      faults.push(`${name} and ${name}_FILE are both set: remove one`);
      continue;
    }
    try {
      given[name] = readFileSync(resolve(folder, file), 'utf8').trim() || undefined;
      if (given[name] === undefined) faults.push(`the file "${file}" (${name}_FILE) is empty`);
    } catch (error) {
      faults.push(
        `the file "${file}" (${name}_FILE) cannot be read: ${(error as NodeJS.ErrnoException).code}`,
      );
    }
  }
  return faults;
}

const emptyInProduction = (given: Readonly<Record<string, string | undefined>>): string[] =>
  given.NODE_ENV === 'production'
    ? productionSettings
        .filter((name) => given[name] === undefined && given[`${name}_FILE`] === undefined)
        .map((name) => `${name} must be set where NODE_ENV is production`)
    : [];
