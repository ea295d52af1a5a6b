import { randomUUID } from 'node:crypto';
import {
  access,
  constants,
  link,
  lstat,
  readFile,
  realpath,
  rename,
  rm,
  statfs,
  writeFile,
} from 'node:fs/promises';
import type { Server } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeFolder } from './private-folder.js';
import { AppError } from '../../compute/model/errors.js';
import { claimAnswers, listenForClaim, removeClaimSocket } from './claim-socket.js';
import { isLiving, processStart } from './orphans.js';

/** The process that holds a data folder. `claimId` distinguishes two claims of one process. */
export interface DataFolderClaim {
  pid: number;
  processStart: string;
  claimId: string;
  name: string;
  holder: 'service' | 'command';
  startedAt: string;
}

export type ClaimResult =
  | { claimed: true; claim: DataFolderClaim }
  | { claimed: false; claim: DataFolderClaim };

/** The sockets of the claims that this process holds, by folder. */
const listening = new Map<string, Server>();

/** Creates the folder, checks that it is writable and returns its real path. Throws `invalid_settings`. */
export async function prepareDataFolder(folder: string): Promise<string> {
  try {
    await makeFolder(folder);
    await access(folder, constants.W_OK | constants.X_OK);
    return await realpath(folder);
  } catch (cause) {
    throw notWritable(folder, cause);
  }
}

function notWritable(folder: string, cause: unknown): AppError {
  const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
  const message = `the data folder "${folder}" (DATA_DIR) cannot be written: ${reason}`;
  return new AppError('invalid_settings', message, { cause });
}

/**
 * What has to be free: twice what a first start stores, because a database that meets a full disk in the middle of a write says
 * nothing of use. A command needs little; some make room.
 */
const leastFreeBytes = { service: 200e6, command: 1e6 };

/** Throws `invalid_settings` where the disk of the data folder has no room for what its holder writes. */
export async function requireFreeSpace(
  folder: string,
  holder: DataFolderClaim['holder'],
  leastBytes = leastFreeBytes[holder],
): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const freeBytes = bavail * bsize;
  if (freeBytes >= leastBytes) return;
  const megabytes = (bytes: number) => `${Math.floor(bytes / 1e6)} MB`;
  const message =
    `the disk of the data folder "${folder}" (DATA_DIR) has ${megabytes(freeBytes)} free, and a ${holder} needs ` +
    `${megabytes(leastBytes)}; free some, or set DATA_DIR to a folder on another disk`;
  throw new AppError('invalid_settings', message);
}

/**
 * Claims the data folder for this process, or returns the claim of the living process that holds it. If several processes
 * try at the same time, exactly one succeeds, also if they run in different containers. The claim of a dead process is taken
 * over. Throws `data_folder_in_use` for a lock that cannot be read.
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
  await writeFile(ownFile, JSON.stringify(claim), { mode: 0o600 }).catch((cause: unknown) => {
    throw notWritable(folder, cause);
  });
  // Before the lock is taken: another process may ask at once whether its holder lives.
  const socket = await listenForClaim(folder, claim.claimId);
  let other: DataFolderClaim | undefined = claim;
  try {
    other = await takeLock(lockFile(folder), ownFile);
  } finally {
    if (other !== undefined) socket?.close();
    await rm(ownFile, { force: true });
  }
  if (other !== undefined) return { claimed: false, claim: other };
  listening.get(folder)?.close();
  if (socket) listening.set(folder, socket);
  return { claimed: true, claim };
}

/** Releases the folder. Only its holder may call this. */
export async function releaseDataFolder(folder: string): Promise<void> {
  await rm(lockFile(folder), { force: true });
  listening.get(folder)?.close();
  listening.delete(folder);
}

/**
 * Puts `ownFile` in place as the lock, or returns the claim of its living holder. Creating a link is atomic, so a lock is
 * never read half-written. A stale lock is replaced only under a second lock and after it was read again: otherwise a slow
 * process could replace the lock of a faster one. The second lock is taken in the same way, since its holder may die too.
 */
async function takeLock(lock: string, ownFile: string): Promise<DataFolderClaim | undefined> {
  for (;;) {
    if (await linked(ownFile, lock)) return undefined;
    const holder = await readClaim(lock);
    if (holder === undefined) continue;
    if (await isHeld(lock, holder)) return holder;
    const guard = `${lock}-takeover`;
    if ((await takeLock(guard, ownFile)) !== undefined) {
      await delay(20);
      continue;
    }
    try {
      const seen = await readClaim(lock);
      if (seen !== undefined && !(await isHeld(lock, seen))) {
        await replaceLock(lock, ownFile);
        await removeClaimSocket(dirname(lock), seen.claimId);
        return undefined;
      }
    } finally {
      await rm(guard, { force: true });
    }
  }
}

/** Whether the process that made a claim lives, here or in another container. */
const isHeld = async (lock: string, claim: DataFolderClaim): Promise<boolean> =>
  isLiving(claim) || claimAnswers(dirname(lock), claim.claimId);

async function replaceLock(lock: string, ownFile: string): Promise<void> {
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

/**
 * The claim in a lock file; undefined if the file is gone, the claim of a dead process if it cannot be parsed. Throws
 * `data_folder_in_use` if the file cannot be read, because another user wrote it.
 */
async function readClaim(file: string): Promise<DataFolderClaim | undefined> {
  const found = await lstat(file).catch(() => undefined);
  if (found && !found.isFile())
    throw new AppError('data_folder_in_use', `the lock "${file}" is no file: remove it`);
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined;
    const advice = 'if no Tidemark uses this folder, remove the lock';
    const message = `the lock "${file}" cannot be read: ${cause.code}; ${advice}`;
    throw new AppError('data_folder_in_use', message, { cause });
  });
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
