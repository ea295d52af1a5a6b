import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { linkUrl, startMails } from '../../../jobs/mail/start-mails.js';
import { processStart } from '../../../storage/embedded/orphans.js';
import { RedisClock } from '../../../storage/servers/redis-clock.js';
import { openTestService } from '../../support/gateway/gateway.js';
import { temporaryFolder } from '../../support/process/temporary-folder.js';
import { until } from '../../support/process/until.js';

describe('the mails of a market worker', () => {
  const folder = temporaryFolder();

  it('are files without a mail server; a sign-up leads to one whose link works', async () => {
    const env = { DATA_DIR: folder.path, PUBLIC_URL: 'https://tidemark.example/' };
    const service = await openTestService({ computeNodes: 0, env });
    const { settings, storage, deps } = service;
    const clock = new RedisClock(deps.redis);
    const mails = startMails({ settings, storage, clock, log: deps.log });
    const email = 'ada@example.com';
    assert.equal((await service.post('/backend/signup', { email, password: 'a long password' })).status, 200);
    const at = join(folder.path, 'mail');
    const [name] = await until('the mail', async () => {
      const names = await readdir(at).catch(() => []);
      return names.some((each) => each.endsWith('.txt')) && names;
    });
    const text = await readFile(join(at, name), 'utf8');
    const [, token] = /^https:\/\/tidemark\.example\/verify\?token=([\w-]{43})$/m.exec(text)!;
    const { status, payload } = await service.post('/backend/verify-email', { token });
    assert.deepEqual([status, payload], [200, { email, keepsPassword: false, token: null }]);
    await mails.close();
    clock.close();
    await service.close();
  });

  it('lead to PUBLIC_URL, else to the gateway of this machine', async () => {
    const settings = { PUBLIC_URL: '', DATA_DIR: folder.path, HOST: '127.0.0.1', PORT: 3000 };
    assert.equal(await linkUrl({ ...settings, PUBLIC_URL: 'https://a.example/' }), 'https://a.example');
    assert.equal(await linkUrl(settings), 'http://127.0.0.1:3000');
    assert.equal(await linkUrl({ ...settings, HOST: '::1' }), 'http://[::1]:3000');
    const run = {
      pid: process.pid,
      processStart: processStart(process.pid),
      gatewayUrl: 'http://127.0.0.1:4711',
    };
    await writeFile(join(folder.path, 'run.json'), JSON.stringify(run));
    assert.equal(await linkUrl(settings), 'http://127.0.0.1:4711');
  });
});
