import assert from 'node:assert/strict';
import { testFiles } from './test-files.js';

describe('testFiles', () => {
  const files = testFiles();
  const inFolder = (folder: string) => files.filter(({ path }) => path.startsWith(folder));

  it('finds every test of a folder, in folders of its own, too', () => {
    assert.ok(inFolder('test/compute/').length > 100);
    assert.ok(files.some(({ path }) => path === 'test/support/harness/test-files.test.ts'));
  });

  it('takes for units what imports neither servers nor processes, also not through other files', () => {
    const others = inFolder('test/compute/').filter(({ needsServers }) => needsServers);
    // It measures the memory of a process of its own.
    assert.deepEqual(
      others.map(({ path }) => path),
      ['test/compute/backtest/memory.test.ts'],
    );
    for (const folder of ['test/contract/', 'test/e2e/', 'test/jobs/admin/'])
      assert.ok(
        inFolder(folder).every(({ needsServers }) => needsServers),
        folder,
      );
  });
});
