import assert from 'node:assert/strict';
import { CommandProcess } from './service-process.js';

describe('CommandProcess', () => {
  const shell = (script: string) => new CommandProcess('sh', ['-c', script], {});

  it('finds what a program prints last, before it ends and after it', async () => {
    const program = shell('echo first; echo last');
    assert.equal((await program.printed(/las./))[0], 'last');
    await program.exit;
    assert.equal((await program.printed(/firs./))[0], 'first');
  });

  for (const [script, end] of [
    ['exit 3', '3'],
    ['kill -9 $$', 'SIGKILL'],
  ])
    it(`tells that a program ended with ${end} before it printed something`, () =>
      assert.rejects(shell(`echo first; ${script}`).printed(/never/), {
        message: `ended with ${end} before it printed /never/:\nfirst\n`,
      }));
});
