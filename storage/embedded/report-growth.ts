import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { reportProgress, type Report } from '../process/terminal-report.js';

const lookEveryMs = 300;

/**
 * Runs an installation into `folder` and reports its progress by the bytes in the drafts of that folder, because pip
 * reports no progress to a program. `megabytes` is about what the download and its content take.
 */
export async function reportGrowth<T>(
  folder: string,
  { of, megabytes, report }: { of: string; megabytes: number; report: Report },
  install: () => Promise<T>,
): Promise<T> {
  const looking = setInterval(() => {
    void draftBytes(folder).then((bytes) => {
      // The last percent is the end of the installation.
      if (!ended) reportProgress(report, { of, fraction: Math.min(0.99, bytes / (megabytes * 2 ** 20)) });
    });
  }, lookEveryMs);
  let ended = false;
  let end: number | null = null;
  try {
    const installed = await install();
    end = 1;
    return installed;
  } finally {
    ended = true;
    clearInterval(looking);
    reportProgress(report, { of, fraction: end });
  }
}

/** Bytes in the temporary folders in which `installFolder` prepares the folder. */
async function draftBytes(folder: string): Promise<number> {
  const names = await readdir(dirname(folder)).catch(() => []);
  const drafts = names.filter((name) => name.startsWith(`${basename(folder)}.tmp-${process.pid}-`));
  const sizes = await Promise.all(drafts.map((name) => bytesIn(join(dirname(folder), name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Files that are deleted meanwhile count as nothing. */
async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map((entry) =>
      stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
