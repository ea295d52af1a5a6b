import { format } from 'node:util';
import Mocha from 'mocha';
import { closeOnSignals } from '../process/close-on-signals.js';
import { NoOwnServer } from '../servers/own-server.js';
import { closeTestServers, testServers } from '../servers/servers.js';
import { cpuMsSince, cpuTimes } from './cpu-times.js';
import type { FileRequest, FileResult } from './file-result.js';
import './fixed-seed.js';
import { skipReasonOf } from './skip.js';
import { compiledPath } from './test-files.js';

// Runs test files one after the other, as the parent process asks for them. The first file that needs Redis and MongoDB
// starts them; they stay until the parent disconnects.

/** Ends a test that hangs. It judges no machine, so the limit of a suite is no shorter either. */
const timeoutMs = 120_000;
type SetTimeout = (this: Mocha.Suite, ...limit: number[]) => Mocha.Suite;
const timeoutOf = Reflect.get(Mocha.Suite.prototype, 'timeout') as SetTimeout;
Mocha.Suite.prototype.timeout = function (this: Mocha.Suite, ...limit: number[]) {
  return timeoutOf.apply(
    this,
    limit.map((ms) => Math.max(ms, timeoutMs)),
  );
} as typeof Mocha.Suite.prototype.timeout;

// Mocha takes an unhandled rejection as the failure of the running test only if it becomes an exception.
process.on('unhandledRejection', (reason) => {
  throw reason;
});
const close = closeOnSignals(closeTestServers);
process.once('disconnect', () => void close().finally(() => process.exit()));
process.on('message', (request: FileRequest) => {
  void runFile(request).then((result) => process.connected && process.send!(result));
});

async function runFile({ path, needsServers, grep }: FileRequest): Promise<FileResult> {
  const started = { ms: performance.now(), times: cpuTimes() };
  // Programs are installed here, before the time limit of a hook starts.
  if (needsServers) await testServers();
  const mocha = new Mocha({ timeout: timeoutMs, forbidOnly: true, ...(grep ? { fgrep: grep } : {}) });
  mocha.addFile(compiledPath(path));
  const result: FileResult = { path, ms: 0, cpuMs: 0, passed: [], failed: [], skipped: [], report: '' };
  Mocha.reporters.Base.consoleLog = (...words: unknown[]) => (result.report += `${format(...words)}\n`);
  await mocha.loadFilesAsync();
  await new Promise<void>((resolve) =>
    collect(
      mocha.run(() => resolve()),
      result,
    ),
  );
  // Takes its listeners off the process.
  mocha.dispose();
  return { ...result, ms: performance.now() - started.ms, cpuMs: cpuMsSince(started.times) };
}

function collect(runner: Mocha.Runner, result: FileResult): void {
  const without = new Set<Mocha.Suite>();
  runner.on('pass', (test) => result.passed.push({ title: test.fullTitle(), ms: test.duration ?? 0 }));
  const skipped = (test: Mocha.Runnable, reason: string) =>
    result.skipped.push({ title: test.fullTitle(), reason });
  runner.on('fail', (test, error: Error) => {
    const suite: Mocha.Suite = test.parent!;
    if (error instanceof NoOwnServer && !(test instanceof Mocha.Hook)) skipped(test, error.message);
    else if (error instanceof NoOwnServer) {
      without.add(suite);
      suite.eachTest((each: Mocha.Test) => each.state === undefined && skipped(each, error.message));
    } else if (!(without.has(suite) && test.title.startsWith('"after all" hook')))
      // What was never opened can't be closed by the hook after it; all else is a failure.
      result.failed.push({ title: test.fullTitle(), error: error.message });
  });
  runner.on('pending', (test: Mocha.Test) =>
    result.skipped.push({ title: test.fullTitle(), reason: skipReasonOf(test) }),
  );
}
