import { readFileSync } from 'node:fs';

/** A file of this folder that is no module: it is read where it was written, as the build leaves it there. */
export const webFile = (name: string): string =>
  readFileSync(new URL(`../../../gateway/web/${name}`, import.meta.url), 'utf8');
