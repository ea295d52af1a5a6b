import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../../compute/model/errors.js';
import { findRedisServer } from '../../../storage/embedded/redis-server.js';
import { firstProgram, type ServerProgram } from '../../../storage/embedded/server-program.js';

describe('firstProgram', () => {
  const program = { kind: 'redis', title: 'Redis 6.2', origin: 'PyPI' } as ServerProgram;
  const missing = {
    name: 'redis-server',
    find: () => Promise.reject(new AppError('server_not_found', 'not on PATH')),
  };
  const found = { name: 'valkey-server', find: () => Promise.resolve(program) };

  it('says of a fallback that it is one, what it is, and the first reason; all others are kept beside', async () => {
    const { origin, tried } = await firstProgram(
      [missing, { ...missing, name: 'valkey-server' }, { ...found, fallback: 'that of a package' }],
      'install it',
    );
    assert.equal(origin, 'PyPI (fallback: that of a package; redis-server: not on PATH)');
    assert.deepEqual(tried, ['redis-server: not on PATH', 'valkey-server: not on PATH']);
    const chosen = await firstProgram([{ ...found, fallback: 'that of a package' }], 'install it');
    assert.equal(chosen.origin, 'PyPI (fallback: that of a package)');
  });

  it('leaves any other program as it is', async () => {
    assert.equal(await firstProgram([missing, found], 'install it'), program);
  });
});

/** `version()` in src/server.c of Redis 6.2 and 7.0, Valkey 7.2 (whose line has no name) and Valkey 8. */
const versionLines = [
  [
    'redis-server',
    'Redis server v=6.2.14 sha=00000000:0 malloc=jemalloc-5.1.0 bits=64 build=1',
    'Redis 6.2.14',
  ],
  [
    'redis-server',
    'Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64 build=1',
    'Redis 7.0.15',
  ],
  [
    'valkey-server',
    'Server v=7.2.7 sha=00000000:0 malloc=libc bits=64 build=4407608ab95a1057',
    'Valkey 7.2.7',
  ],
  [
    'valkey-server',
    'Valkey server v=8.1.1 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64 build=1',
    'Valkey 8.1.1',
  ],
] as const;

describe('findRedisServer', () => {
  const path = process.env.PATH;
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tidemark-programs-'));
    process.env.PATH = folder;
  });
  afterEach(async () => {
    process.env.PATH = path;
    await rm(folder, { recursive: true });
  });

  for (const [name, line, title] of versionLines)
    it(`takes ${title} on PATH, by what it prints`, async () => {
      await writeFile(join(folder, name), `#!/bin/sh\necho '${line}'\n`, { mode: 0o755 });
      const found = await findRedisServer(folder, folder, () => undefined);
      assert.deepEqual([found.title, found.command], [title, join(folder, name)]);
    });
});
