import { existsSync } from 'node:fs';
import { access, constants, statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { dirname } from 'node:path';
import type { Settings } from '../process/settings.js';
import { findingsOf, gigabytes, type Finding } from './finding.js';

const leastBytes = 2 ** 30;
const fewBytes = 5 * 2 ** 30;
const nodeMb = 256;

/** Whether the disk of the data folder and the memory suffice for the settings. */
export async function machineFindings(settings: Settings, memoryBytes = totalmem()): Promise<Finding[]> {
  const folder = existingFolder(settings.DATA_DIR);
  const { bavail, bsize, blocks } = await statfs(folder);
  const isWritable = await access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  return [
    ...(isWritable || !needsFolder(settings) ? [] : [folderFinding(settings.DATA_DIR)]),
    diskFinding(bavail * bsize, blocks * bsize, settings.DATA_DIR),
    memoryFinding(settings, memoryBytes),
  ];
}

/** Whether something is kept in the data folder: an embedded database, the secret key, mails, or the demo account. */
const needsFolder = ({ REDIS_URL, MONGODB_URL, SECRETS_KEY, SMTP_URL, MARKET }: Settings): boolean =>
  [REDIS_URL, MONGODB_URL, SECRETS_KEY, SMTP_URL].includes('') || MARKET === 'demo';

/** The finding about a data folder that is needed and can't be written. */
const folderFinding = (folder: string): Finding =>
  findingsOf('machine').unfit(
    'folder',
    `${folder} cannot be written`,
    'set DATA_DIR to a folder that this user may write',
  );

/** The folder, or the nearest one above it: without embedded servers nothing may have made it yet. */
const existingFolder = (folder: string): string =>
  existsSync(folder) ? folder : existingFolder(dirname(folder));

/** The disk that holds the data folder: embedded servers and keys are on it. */
export function diskFinding(freeBytes: number, totalBytes: number, folder: string): Finding {
  const { ok, warning, unfit } = findingsOf('machine');
  const found = `${gigabytes(freeBytes)} of ${gigabytes(totalBytes)} free at ${folder}`;
  const advice = 'free disk space, or set DATA_DIR to a folder on a larger disk';
  if (freeBytes < leastBytes) return unfit('disk', found, advice);
  return freeBytes < Math.min(fewBytes, totalBytes * 0.1)
    ? warning('disk', found, advice)
    : ok('disk', found);
}

/** The memory that a compute node with these settings may take. */
export function memoryFinding(
  {
    THREADS,
    THREAD_MEMORY_MB,
    CANDLE_CACHE_MB,
  }: Pick<Settings, 'THREADS' | 'THREAD_MEMORY_MB' | 'CANDLE_CACHE_MB'>,
  totalBytes: number,
): Finding {
  const { ok, warning } = findingsOf('machine');
  const most = (nodeMb + THREADS * THREAD_MEMORY_MB + CANDLE_CACHE_MB) * 2 ** 20;
  const found = `a compute node takes up to ${gigabytes(most)} of ${gigabytes(totalBytes)}`;
  return most > totalBytes
    ? warning('memory', found, 'lower THREADS, THREAD_MEMORY_MB or CANDLE_CACHE_MB, or add memory')
    : ok('memory', found);
}
