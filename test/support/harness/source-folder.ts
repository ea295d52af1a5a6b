import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './paths.js';

/** The names of the source files in a folder of the project, index and endings left off, in order. */
export const sourceNames = (folder: string): string[] =>
  readdirSync(join(projectRoot, folder))
    .filter((file) => file.endsWith('.ts') && file !== 'index.ts')
    .map((file) => file.slice(0, -3))
    .sort();

/** The paths of all source files below a folder of the project. */
export const sourceFiles = (folder: string): string[] =>
  readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(projectRoot, folder, file));
