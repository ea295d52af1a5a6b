import assert from 'node:assert/strict';
import { AppError } from '../../../compute/model/errors.js';
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
