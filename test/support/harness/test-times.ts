import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from './paths.js';
import type { TestFile } from './test-files.js';

const timesFile = join(projectRoot, '.data/test-times.json');

/** Milliseconds by test file, as the last runs on this machine measured them. */
type Times = Record<string, number>;

/** The files in the order to run them: those that take longest come first, as measured or, without that, as guessed. */
export function longestFirst(files: readonly TestFile[]): TestFile[] {
  const times = readTimes();
  const weight = (file: TestFile) => times[file.path] ?? guessedMs(file);
  return [...files].sort((a, b) => weight(b) - weight(a));
}

const guessedMs = ({ startsProcesses, needsServers, timeoutMs, bytes }: TestFile): number =>
  (startsProcesses ? 10_000 : needsServers ? 1_000 : 0) + timeoutMs / 10 + bytes / 20;

/** Remembers how long files took. Files that were not run keep their time. */
export function storeTimes(measured: Times): void {
  mkdirSync(dirname(timesFile), { recursive: true });
  writeFileSync(timesFile, JSON.stringify({ ...readTimes(), ...measured }, undefined, 1));
}

function readTimes(): Times {
  try {
    return JSON.parse(readFileSync(timesFile, 'utf8')) as Times;
  } catch {
    return {};
  }
}
