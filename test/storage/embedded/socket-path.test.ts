import assert from 'node:assert/strict';
import { chmod, lstat, mkdir, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { socketPath } from '../../../storage/embedded/claim-socket.js';
import { temporaryFolder } from '../../support/process/temporary-folder.js';

describe('socketPath', () => {
  const folder = temporaryFolder();
  const modeOf = async (path: string) => (await lstat(path)).mode & 0o777;

  it('is in the data folder, or in a closed folder with a short path', async () => {
    assert.equal(await socketPath(folder.path, 'redis.sock'), join(folder.path, 'redis.sock'));
    const short = dirname(await socketPath(join(folder.path, 'x'.repeat(120)), 'redis.sock'));
    assert.equal(await modeOf(short), 0o700);
    await chmod(short, 0o755);
    assert.equal(dirname(await socketPath(join(folder.path, 'x'.repeat(120)), 'redis.sock')), short);
    assert.equal(await modeOf(short), 0o700);
    await rm(short, { recursive: true });
  });

  it('is below /tmp where the path of the temporary folder is too long as well', async () => {
    const { TMPDIR } = process.env;
    process.env.TMPDIR = join(folder.path, 'z'.repeat(80));
    try {
      const path = await socketPath(join(folder.path, 'x'.repeat(120)), 'redis.sock');
      assert.match(path, /^\/tmp\/tidemark-[0-9a-f]{24}\/redis\.sock$/);
      await rm(dirname(path), { recursive: true });
    } finally {
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
    }
  });

  it('leaves alone a folder that a link with its name points to', async () => {
    const long = join(folder.path, 'y'.repeat(120));
    const short = dirname(await socketPath(long, 'redis.sock'));
    await rm(short, { recursive: true });
    const other = join(folder.path, 'other');
    await mkdir(other, { mode: 0o755 });
    await symlink(other, short);
    try {
      await assert.rejects(socketPath(long, 'redis.sock'), { code: 'invalid_settings' });
      assert.equal(await modeOf(other), 0o755);
    } finally {
      await rm(short);
    }
  });
});
