import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { asset } from '../../storage/process/asset.js';

/** The texts that the build makes: the documentation and the phrases of the analyst take seconds of computing, which no start has to repeat. */
type PreparedText = 'openapi.json' | 'docs.json' | 'openapi.d.ts' | 'phrases.json';

/** Compressed, because as text they are a quarter of the package; `schema.d.ts` is read by the compiler. */
export const preparedFile = (name: PreparedText | 'schema.d.ts'): URL =>
  asset(`gateway/prepared/${name}${name === 'schema.d.ts' ? '' : '.gz'}`);

/** Stands in a prepared text for a value that settings decide. */
export const markOf = (name: string): string => `{{${name}}}`;

/** A text of the build with these values, as they are written there. */
export const preparedText = (name: PreparedText, values: Readonly<Record<string, string | number>>): string =>
  gunzipSync(readFileSync(preparedFile(name)))
    .toString()
    .replace(/\{\{([A-Z_]+)\}\}/g, (mark, found: string) => String(values[found] ?? mark));
