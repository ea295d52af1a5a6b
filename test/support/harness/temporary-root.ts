import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const inMemory = '/dev/shm';
const neededBytes = 2 * 1024 ** 3;

/**
 * The folder for the temporary folders of a run. It is in memory where that has room: Redis and MongoDB keep their data there
 * and wait for the disk with every write, which is most of the time that they take. TMPDIR names another one.
 */
export function temporaryRoot(): string {
  if (process.env.TMPDIR !== undefined || !existsSync(inMemory)) return tmpdir();
  const { bavail, bsize } = statfsSync(inMemory);
  // What is there uses memory, which the tests need as well.
  const hasRoom = bavail * bsize >= neededBytes && freemem() >= 2 * neededBytes;
  return hasRoom && runsPrograms(inMemory) ? inMemory : tmpdir();
}

/** Tests put programs into their folders, and containers often forbid to run those of this file system. */
function runsPrograms(root: string): boolean {
  const folder = mkdtempSync(join(root, 'tidemark-tests-'));
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  const { status } = spawnSync(program);
  rmSync(folder, { recursive: true });
  return status === 0;
}
