import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { benchFolder } from './fetched.js';

/** The path of a file that holds the columns one after the other, as doubles, for other programs to read. */
export function writeColumns(name: string, columns: readonly Float64Array[]): string {
  mkdirSync(benchFolder, { recursive: true });
  const path = join(benchFolder, `${name}.bin`);
  writeFileSync(path, Buffer.concat(columns.map((column) => new Uint8Array(column.slice().buffer))));
  return path;
}
