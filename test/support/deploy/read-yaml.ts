import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../harness/paths.js';

/** A file of the project, as text. */
export const projectText = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

/** A YAML file of the project, with its anchors and merge keys resolved. */
export const readYaml = <T>(path: string): T => parse(projectText(path), { merge: true, strict: true }) as T;
