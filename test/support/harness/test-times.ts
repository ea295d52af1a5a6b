import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from './paths.js';
import type { TestFile } from './test-files.js';

const timesFile = join(projectRoot, '.data/test-times.json');

/** Milliseconds by test file, as the last runs on this machine measured them. */
type Times = Record<string, number>;

/**
 * The files in the order to run them: those measured longest first. Without a measurement, files that need servers come
 * before units and large files before small ones.
 */
export function longestFirst(files: readonly TestFile[]): TestFile[] {
  const times = readTimes();
  const weight = ({ path, needsServers, bytes }: TestFile) =>
    times[path] ?? (needsServers ? 3_000 : 0) + bytes / 100;
  return [...files].sort((a, b) => weight(b) - weight(a));
}

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
