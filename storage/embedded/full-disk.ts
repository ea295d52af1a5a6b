import { statfs } from 'node:fs/promises';
import type { Settings } from '../process/settings.js';
import { readRunFile } from './run-file.js';

/** The embedded database refuses writes that take room while less than this is free: without any room it would panic. */
export const reservedBytes = 64 * 2 ** 20;

/** Whether the embedded database of this machine refuses writes because its disk is full. False for a service with other servers. */
export async function isEmbeddedFull({
  DATA_DIR,
  MONGODB_URL,
}: Pick<Settings, 'DATA_DIR' | 'MONGODB_URL'>): Promise<boolean> {
  const run = await readRunFile(DATA_DIR);
  if (run === undefined || (MONGODB_URL !== '' && run.mongodbUrl !== MONGODB_URL)) return false;
  if (!run.servers.some(({ kind }) => kind === 'mongodb')) return false;
  const { bavail, bsize } = await statfs(DATA_DIR);
  return bavail * bsize < reservedBytes;
}
