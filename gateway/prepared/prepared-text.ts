import { readFileSync } from 'node:fs';
import { asset } from '../../storage/process/asset.js';

/** The texts that the build makes: the documentation takes half a second of computing, which no start has to repeat. */
type PreparedText = 'openapi.json' | 'docs.json' | 'schema.d.ts';

export const preparedFile = (name: PreparedText): URL => asset(`gateway/prepared/${name}`);

/** Stands in a prepared text for a value that settings decide. */
export const markOf = (name: string): string => `{{${name}}}`;

/** A text of the build with these values, as they are written there. */
export const preparedText = (name: PreparedText, values: Readonly<Record<string, string | number>>): string =>
  readFileSync(preparedFile(name), 'utf8').replace(/\{\{([A-Z_]+)\}\}/g, (mark, found: string) =>
    String(values[found] ?? mark),
  );
