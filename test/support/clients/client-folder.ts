import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../harness/paths.js';

/** An empty folder for a generated client, below the project so that it finds packages; `files` are put into it. */
export function clientFolder(name: string, files: Readonly<Record<string, string>>): string {
  const folder = join(projectRoot, '.data/clients', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  return folder;
}
