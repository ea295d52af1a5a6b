import type { FileRequest, FileResult } from './file-result.js';
import { TestRun } from './test-run.js';

/** More failed files than this are no accident: none of them runs again. */
const mostFiles = 3;

/**
 * Runs the files that failed once more, one at a time and beside no other. A test that passes then depends on what else the
 * machine does: it is kept as `unstable`, with how it failed, and its file no longer counts as failed.
 */
export async function runAgain(
  results: readonly FileResult[],
  requests: readonly FileRequest[],
  onResult: (result: FileResult) => void,
): Promise<FileResult[]> {
  const failed = results.filter((result) => result.failed.length > 0);
  if (failed.length === 0 || failed.length > mostFiles) return [...results];
  const paths = new Set(failed.map(({ path }) => path));
  const files = requests.filter(({ path }) => paths.has(path));
  const second = await new TestRun(files, { processes: 1, onResult }).run();
  const firstFailures = (path: string) =>
    failed.flatMap((result) => (result.path === path ? result.failed : []));
  const merged = second.map((result) => ({
    ...result,
    unstable: result.failed.length === 0 ? firstFailures(result.path) : [],
  }));
  return [...results.filter(({ path }) => !paths.has(path)), ...merged];
}
