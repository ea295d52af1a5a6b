import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { dirname } from 'node:path';
import type { Settings } from '../process/settings.js';
import { findingsOf, gigabytes, type Finding } from './finding.js';

const leastBytes = 2 ** 30;
const fewBytes = 5 * 2 ** 30;
const nodeMb = 256;

/** Whether the disk of the data folder and the memory suffice for the settings. */
export async function machineFindings(settings: Settings, memoryBytes = totalmem()): Promise<Finding[]> {
  const { bavail, bsize, blocks } = await statfs(existingFolder(settings.DATA_DIR));
  return [
    diskFinding(bavail * bsize, blocks * bsize, settings.DATA_DIR),
    memoryFinding(settings, memoryBytes),
  ];
}

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
