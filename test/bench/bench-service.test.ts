import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { processesOf } from '../support/process/processes-of.js';
import { CommandProcess } from '../support/process/service-process.js';
import { temporaryFolder } from '../support/process/temporary-folder.js';
import { until } from '../support/process/until.js';

const program = fileURLToPath(new URL('../support/process/bench-main.js', import.meta.url));

describe('a benchmark that is ended from outside', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  let bench: CommandProcess;
  afterEach(() => bench.interrupt('SIGKILL'));

  /** Starts one that keeps all its files in the folder. */
  const underWay = async () => {
    bench = new CommandProcess(process.execPath, [program], { TMPDIR: folder.path });
    await bench.printed(/under way/);
    // The benchmark, its gateway, Redis, MongoDB, and who waits to end each of these two.
    assert.equal(processesOf(folder.path).length, 6);
  };

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    it(`ends with the code of ${signal} and leaves neither a process nor a file behind`, async () => {
      await underWay();
      assert.equal(await bench.interrupt(signal), code);
      assert.deepEqual(processesOf(folder.path), []);
      assert.deepEqual(readdirSync(folder.path), []);
    });

  it('leaves no process behind even after kill -9', async () => {
    await underWay();
    await bench.interrupt('SIGKILL');
    await until('all ended', () => processesOf(folder.path).length === 0);
  });
});
