import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { endOrphans } from '../../../storage/embedded/orphans.js';
import { temporaryFolder } from '../../support/process/temporary-folder.js';

describe('endOrphans', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  /** A process with these arguments. */
  const start = async (...args: string[]) => {
    const child = spawn(process.execPath, [
      '-e',
      'console.log(); setInterval(() => {}, 1000)',
      '--',
      ...args,
    ]);
    await once(child.stdout, 'data');
    return child;
  };

  it('ends a server on the folder, and no other program that is given the folder', async () => {
    const data = join(folder.path, 'mongodb');
    const server = await start('mongod', '--dbpath', data, '--auth');
    const backup = await start('-cf', 'backup.tar', data);
    const ended = once(server, 'exit');
    const lines: string[] = [];
    try {
      await endOrphans([data], (line) => lines.push(line));
      await ended;
      assert.deepEqual(lines, [`ending a server left by a killed process (pid ${server.pid})`]);
      assert.deepEqual([backup.exitCode, backup.signalCode], [null, null]);
    } finally {
      for (const child of [server, backup]) child.kill('SIGKILL');
    }
  });
});
