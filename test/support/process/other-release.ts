import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../harness/paths.js';

/** A change of a compiled file of another release: its path below `dist`, and what is replaced by what. */
export type ReleaseChange = [file: string, from: RegExp, to: string];

/** The engine of a release that has another one. */
export const otherEngine = (engine: string): ReleaseChange => [
  'compute/model/engine-version.js',
  /engineVersion = '[^']*'/,
  `engineVersion = '${engine}'`,
];

/**
 * Copies the compiled service into the folder as another release with these changes. Returns the URL that stands for that of
 * `role-child.js` there.
 */
export async function otherRelease(folder: string, changes: readonly ReleaseChange[]): Promise<URL> {
  const dist = join(folder, 'dist');
  await mkdir(dist, { recursive: true });
  for (const part of ['compute', 'storage', 'jobs', 'gateway', 'test/support'])
    await cp(join(projectRoot, 'dist', part), join(dist, part), { recursive: true });
  await cp(join(projectRoot, 'dist/package.json'), join(dist, 'package.json'));
  await symlink(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  for (const [file, from, to] of changes) {
    const path = join(dist, file);
    const text = await readFile(path, 'utf8');
    const changed = text.replace(from, to);
    if (changed === text) throw new Error(`${file} has nothing like ${from}`);
    await writeFile(path, changed);
  }
  return pathToFileURL(join(dist, 'test/support/process/role-child.js'));
}
