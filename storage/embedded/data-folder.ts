import { randomUUID } from 'node:crypto';
import { access, constants, link, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../compute/model/errors.js';
import { isLiving, processStart } from './living-process.js';

/** Who holds a data folder. `claimId` tells two claims of one process apart. */
export interface DataFolderClaim {
  pid: number;
  processStart: string;
  claimId: string;
  name: string;
  holder: 'service' | 'command';
  startedAt: string;
}

export type ClaimResult =
  { claimed: true; claim: DataFolderClaim } | { claimed: false; claim: DataFolderClaim };

/** The folder made, writable, and by its one real path. Throws `invalid_settings` where that cannot be. */
export async function prepareDataFolder(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK | constants.X_OK);
    return await realpath(folder);
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new AppError(
      'invalid_settings',
      `the data folder "${folder}" (DATA_DIR) cannot be written: ${reason}`,
      {
        cause,
      },
    );
  }
}

/**
 * Claims the data folder for this process, or tells which living process holds it.
 * Of any number of processes that try at once exactly one succeeds; a claim whose process is gone is taken over.
 */
export async function claimDataFolder(
  folder: string,
  { name, holder }: Pick<DataFolderClaim, 'name' | 'holder'>,
): Promise<ClaimResult> {
  const claim: DataFolderClaim = {
    pid: process.pid,
    processStart: processStart(process.pid) ?? '',
    claimId: randomUUID(),
    name,
    holder,
    startedAt: new Date().toISOString(),
  };
  const ownFile = join(folder, `lock-${claim.claimId}`);
  await writeFile(ownFile, JSON.stringify(claim), { mode: 0o600 });
  try {
    const other = await takeLock(lockFile(folder), ownFile);
    return other === undefined ? { claimed: true, claim } : { claimed: false, claim: other };
  } finally {
    await rm(ownFile, { force: true });
  }
}

/** Gives the folder back. Only for the claim that holds it. */
export async function releaseDataFolder(folder: string): Promise<void> {
  await rm(lockFile(folder), { force: true });
}

/**
 * Puts `ownFile` in place as the lock, or answers with its living holder.
 * A link is made whole or not at all, so nobody reads half a lock. A stale lock may only be replaced under a second
 * lock, and after one more look: else a slow process could replace the lock of the one that was faster. The second
 * lock is taken by the same rule, since its holder may die too.
 */
async function takeLock(lock: string, ownFile: string): Promise<DataFolderClaim | undefined> {
  for (;;) {
    if (await linked(ownFile, lock)) return undefined;
    const holder = await readClaim(lock);
    if (holder === undefined) continue;
    if (isLiving(holder)) return holder;
    const guard = `${lock}-takeover`;
    if ((await takeLock(guard, ownFile)) !== undefined) {
      await delay(20);
      continue;
    }
    try {
      const seen = await readClaim(lock);
      if (seen !== undefined && !isLiving(seen)) return await replaceLock(lock, ownFile);
    } finally {
      await rm(guard, { force: true });
    }
  }
}

async function replaceLock(lock: string, ownFile: string): Promise<undefined> {
  const copy = `${ownFile}-copy`;
  await writeFile(copy, await readFile(ownFile), { mode: 0o600 });
  await rename(copy, lock);
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** The claim in a lock file; undefined when the file is gone, a dead claim when it holds no claim at all. */
async function readClaim(file: string): Promise<DataFolderClaim | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const dead: DataFolderClaim = {
    pid: 0,
    processStart: '',
    claimId: '',
    name: '',
    holder: 'command',
    startedAt: '',
  };
  try {
    return { ...dead, ...(JSON.parse(text) as Partial<DataFolderClaim>) };
  } catch {
    return dead;
  }
}

function lockFile(folder: string): string {
  return join(folder, 'lock');
}
