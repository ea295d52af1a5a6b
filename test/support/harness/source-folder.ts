import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './paths.js';

/** The names of the source files in a folder of the project, index and endings left off, in order. */
export const sourceNames = (folder: string): string[] =>
  readdirSync(join(projectRoot, folder))
    .filter((file) => file.endsWith('.ts') && file !== 'index.ts')
    .map((file) => file.slice(0, -3))
    .sort();
