import { availableParallelism, constants } from 'node:os';
import { parseArgs } from 'node:util';
import { prepareDist } from '../gateway/prepared/prepare-dist.js';
import type { FileResult } from './support/harness/file-result.js';
import { printFile, printSummary } from './support/harness/print-results.js';
import { runAgain } from './support/harness/run-again.js';
import { testFiles } from './support/harness/test-files.js';
import { TestRun } from './support/harness/test-run.js';
import { longestFirst, storeTimes } from './support/harness/test-times.js';

// `npm test` and `npm run test:unit`. Arguments are parts of file paths; without one, all files run.

await prepareDist();
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    units: { type: 'boolean', default: false },
    // Takes `--units` back, for `npm run coverage -- --all`.
    all: { type: 'boolean', default: false },
    grep: { type: 'string' },
    // Two for a core, because most files wait as long as they compute. Those given one Redis would get each other's messages.
    processes: { type: 'string', default: String(process.env.REDIS_URL ? 1 : 2 * availableParallelism()) },
  },
});
const wanted = positionals.map((part) => part.replace(/^(\.\/)?(dist\/)?/, '').replace(/\.[jt]s$/, ''));
const files = longestFirst(testFiles()).filter(
  ({ path, needsServers }) =>
    (values.all || !values.units || !needsServers) &&
    (wanted.length === 0 || wanted.some((part) => path.includes(part))),
);
if (files.length === 0) {
  console.error(`no test file has ${positionals.join(' or ')} in its path`);
  process.exit(1);
}

const { grep } = values;
const requests = files.map((file) => ({ ...file, ...(grep && { grep }) }));
const onResult = (result: FileResult) => printFile(result, positionals.length > 0);
const run = new TestRun(requests, { processes: Number(values.processes), onResult });
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void run.stop().finally(() => process.exit(128 + constants.signals[signal])));

if (Number(values.processes) > 1 && files.some(({ needsServers }) => needsServers)) {
  const { installServers } = await import('./support/servers/own-server.js');
  await installServers();
}
const firstResults = await run.run();
if (!run.stopped) {
  const results = await runAgain(firstResults, requests, onResult);
  if (!grep) storeTimes(Object.fromEntries(results.map(({ path, ms }) => [path, Math.round(ms)])));
  printSummary(results);
  process.exitCode = results.every(({ failed }) => failed.length === 0) ? 0 : 1;
}
