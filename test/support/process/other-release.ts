import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../harness/paths.js';

/**
 * Copies the compiled service into the folder as a release that has another engine. Returns the URL that stands for that of
 * `role-child.js` there.
 */
export async function otherRelease(folder: string, engine: string): Promise<URL> {
  const dist = join(folder, 'dist');
  await mkdir(dist, { recursive: true });
  for (const part of ['compute', 'storage', 'jobs', 'gateway', 'test/support'])
    await cp(join(projectRoot, 'dist', part), join(dist, part), { recursive: true });
  await cp(join(projectRoot, 'dist/package.json'), join(dist, 'package.json'));
  await symlink(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  const path = join(dist, 'compute/model/engine-version.js');
  const text = await readFile(path, 'utf8');
  const changed = text.replace(/engineVersion = '[^']*'/, `engineVersion = '${engine}'`);
  if (changed === text) throw new Error('engine-version.js names no engine');
  await writeFile(path, changed);
  return pathToFileURL(join(dist, 'test/support/process/role-child.js'));
}
