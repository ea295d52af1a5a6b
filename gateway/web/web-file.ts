import { readFileSync } from 'node:fs';
import { asset } from '../../storage/process/asset.js';

/** The text of a file in gateway/web that is not compiled: a style, a page or an example. */
export const webFile = (name: string): string => readFileSync(asset(`gateway/web/${name}`), 'utf8');

/** The compiled text of a script in gateway/web, named without its ending. */
export const webScript = (name: string): string => readFileSync(asset(`gateway/web/${name}.js`), 'utf8');
