import { readFileSync } from 'node:fs';

/** The version of the service, as package.json has it. The file lies above the folder of what is built. */
export const { version } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { version: string };
