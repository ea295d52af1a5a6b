import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { childEnvironment } from '../../../storage/embedded/child-environment.js';
import { runProgram } from '../../../storage/embedded/run-program.js';
import type { ServerProgram } from '../../../storage/embedded/server-program.js';
import { spawnServer } from '../../../storage/embedded/spawn-server.js';
import { temporaryFolder } from '../../support/process/temporary-folder.js';

const secrets = [
  'SECRETS_KEY',
  'SMTP_URL',
  'AI_API_SECRETS',
  'MONGODB_URL',
  'REDIS_URL',
  'AWS_SECRET_ACCESS_KEY',
];

describe('the environment of programs that are started', () => {
  const folder = temporaryFolder();
  const before = { ...process.env };
  beforeEach(() => {
    for (const name of secrets) process.env[name] = 'secret of this process';
    Object.assign(process.env, {
      PIP_INDEX_URL: 'https://index.example',
      LC_ALL: 'C',
      https_proxy: 'http://proxy.example',
    });
  });
  afterEach(() => {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  });

  it('holds no secret of this process, also where the program says nothing of its own', async () => {
    const seen = await runProgram('env', [], { timeoutMs: 20_000 });
    assert.doesNotMatch(seen, /secret of this process/);
    assert.match(seen, /^PATH=/m);
  });

  it('holds no secret of this process for a server', async () => {
    const logFile = join(folder.path, 'log');
    const program: ServerProgram = {
      ...{ kind: 'redis', title: 'A server', origin: 'sh', command: 'sh', folder: folder.path },
      args: () => ['-c', 'env; exec sleep 60'],
      url: () => '',
      isReady: async () => readFileSync(logFile, 'utf8').includes('PATH='),
    };
    const server = await spawnServer(program, 0, logFile, new AbortController().signal);
    await server.stop();
    assert.doesNotMatch(readFileSync(logFile, 'utf8'), /secret of this process/);
  });

  it('holds what finds files, languages and the internet, and the settings of the program alone', () => {
    const { LC_ALL, https_proxy, PATH, PIP_INDEX_URL } = childEnvironment();
    assert.deepEqual([LC_ALL, https_proxy, PATH], ['C', 'http://proxy.example', process.env.PATH]);
    assert.equal(PIP_INDEX_URL, undefined);
    assert.equal(childEnvironment('PIP_').PIP_INDEX_URL, 'https://index.example');
  });
});
