import { chmod, mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Makes a folder and those above it, by default for their owner alone, one by one: Node's recursive `mkdir` never returns below /proc. */
export async function makeFolder(folder: string, mode = 0o700): Promise<void> {
  const path = resolve(folder);
  const make = () =>
    mkdir(path, { mode }).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error;
    });
  await make().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path), mode);
    await make();
  });
}

/** Creates the folder if it is missing, and closes it to all other users of the machine, also if it was open before. */
export async function preparePrivateFolder(folder: string): Promise<void> {
  await makeFolder(folder);
  await chmod(folder, 0o700);
}
