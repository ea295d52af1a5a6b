import { readFileSync } from 'node:fs';

/** The text of a file in the source folder gateway/web: styles, pages and examples are not compiled. */
export const webFile = (name: string): string =>
  readFileSync(new URL(`../../../gateway/web/${name}`, import.meta.url), 'utf8');

/** The compiled text of a script in gateway/web, named without its ending. */
export const webScript = (name: string): string =>
  readFileSync(new URL(`./${name}.js`, import.meta.url), 'utf8');
