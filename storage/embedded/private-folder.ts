import { chmod, mkdir } from 'node:fs/promises';

/** Creates the folder if it is missing, and closes it to all other users of the machine, also if it was open before. */
export async function preparePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
}
