import type { FailedTest, FileResult } from './file-result.js';

const slowestCount = 20;
const costliestCount = 10;
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** One line for a file whose tests pass, the whole report for any other, or if `whole` asks for it. */
export function printFile({ path, ms, cpuMs, passed, failed, report }: FileResult, whole: boolean): void {
  console.log(
    `${failed.length === 0 ? '✔' : '✘'} ${path}  ${passed.length} passed, ${seconds(ms)}, ${seconds(cpuMs)} of CPU`,
  );
  if (whole || failed.length > 0) console.log(`${report.trimEnd()}\n`);
}

/** The slowest tests, the unstable, the failed and the skipped ones, and the counts in the last line, which programs read. */
export function printSummary(results: readonly FileResult[]): void {
  const passed = results.flatMap(({ path, passed: tests }) => tests.map((test) => ({ ...test, path })));
  const slowest = passed.sort((a, b) => b.ms - a.ms).slice(0, slowestCount);
  console.log(`\nslowest tests`);
  for (const { title, path, ms } of slowest) console.log(`  ${seconds(ms).padStart(7)}  ${path}  ${title}`);
  const costliest = [...results].sort((a, b) => b.cpuMs - a.cpuMs).slice(0, costliestCount);
  const allMs = results.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
  console.log(`\nfiles with most CPU time, of ${seconds(allMs)}`);
  for (const { path, cpuMs } of costliest) console.log(`  ${seconds(cpuMs).padStart(7)}  ${path}`);
  const unstable = linesOf(results, (result) => result.unstable ?? []);
  if (unstable.length > 0) console.log(`\nfailed at first, passed on their own\n${unstable.join('\n')}`);
  const failed = linesOf(results, (result) => result.failed);
  if (failed.length > 0) console.log(`\nfailed\n${failed.join('\n')}`);
  const skipped = results.flatMap((result) =>
    result.skipped.map(({ title, reason }) => `  ${result.path}  ${title}\n    ${reason}`),
  );
  if (skipped.length > 0) console.log(`\nskipped\n${skipped.join('\n')}`);
  console.log(`\n${passed.length} passed, ${failed.length} failed, ${skipped.length} skipped`);
}

const linesOf = (results: readonly FileResult[], testsOf: (result: FileResult) => FailedTest[]): string[] =>
  results.flatMap((result) =>
    testsOf(result).map(
      ({ title, error }) => `  ${result.path}  ${title}\n    ${error.replaceAll('\n', '\n    ')}`,
    ),
  );
