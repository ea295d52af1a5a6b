import { readFileSync } from 'node:fs';

/** The version of the service in package.json, which is in the folder above dist. */
export const { version } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
) as { version: string };
