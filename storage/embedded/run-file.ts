import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataFolderClaim } from './data-folder.js';
import { isLiving } from './orphans.js';

/** What the holder of a data folder publishes for other commands, once its servers are ready. */
export interface RunFile extends DataFolderClaim {
  redisUrl: string;
  mongodbUrl: string;
  servers: { kind: 'redis' | 'mongodb'; pid: number; program: string }[];
  gatewayUrl?: string;
}

/** The run file of the living holder of the data folder; undefined if there is no holder or it is not ready yet. */
export async function readRunFile(folder: string): Promise<RunFile | undefined> {
  try {
    const run = JSON.parse(await readFile(runFile(folder), 'utf8')) as RunFile;
    return isLiving(run) ? run : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the run file atomically. It may contain passwords in URLs, so its mode is 0600. */
export async function writeRunFile(folder: string, run: RunFile): Promise<void> {
  const draft = `${runFile(folder)}-${randomUUID()}`;
  await writeFile(draft, `${JSON.stringify(run, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, runFile(folder));
}

export async function removeRunFile(folder: string): Promise<void> {
  await rm(runFile(folder), { force: true });
}

function runFile(folder: string): string {
  return join(folder, 'run.json');
}
