import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../compute/model/errors.js';
import type { ServerSettings } from '../../../storage/embedded/servers.js';
import { openServers } from '../../../storage/embedded/open-servers.js';
import { temporarySettings } from './temporary-settings.js';

const urls = { REDIS_URL: 'redis://127.0.0.1:1', MONGODB_URL: 'mongodb://127.0.0.1:1/tidemark' };

describe('openServers where a server cannot be had', function () {
  this.timeout(60_000);

  const path = process.env.PATH;
  let settings: ServerSettings;
  let remove: () => Promise<void>;

  const open = (given: Partial<ServerSettings>) =>
    openServers({
      settings: { ...settings, ...given },
      holder: 'service',
      name: 'npm start',
      running: 'refuse',
      report: () => undefined,
    });

  beforeEach(async () => {
    ({ settings, remove } = await temporarySettings());
    // On a network where the download works there would be a MongoDB after all.
    process.env.MONGOMS_RUNTIME_DOWNLOAD = 'false';
  });
  afterEach(async () => {
    delete process.env.MONGOMS_RUNTIME_DOWNLOAD;
    process.env.PATH = path;
    await remove();
  });

  it('lists everything it tried, and gives the folder back', async () => {
    process.env.PATH = '';
    const error = await open({ SERVERS_DIR: join(settings.DATA_DIR, 'servers') }).catch(
      (fault: unknown) => fault,
    );
    assert.ok(error instanceof AppError);
    assert.equal(error.code, 'server_not_found');
    for (const part of [
      /set REDIS_URL to a running Redis\. Tried: redis-server: not on PATH; valkey-server: not on PATH; PyPI: no python3/,
      /set MONGODB_URL to a running MongoDB\. Tried: mongod: not on PATH; .*; official download: .*; PyPI: no python3 on PATH/,
    ]) {
      assert.match(error.message, part);
    }
    assert.equal(existsSync(join(settings.DATA_DIR, 'lock')), false);
  });

  it('says why nothing can be installed', async () => {
    process.env.PATH = '';
    const file = join(settings.DATA_DIR, '..', 'file');
    await writeFile(file, '');
    await assert.rejects(open({ REDIS_URL: urls.REDIS_URL, SERVERS_DIR: join(file, 'servers') }), {
      code: 'server_not_found',
      message:
        /official download: the folder ".*file\/servers" \(SERVERS_DIR\) cannot be written: ENOTDIR; PyPI: no/,
    });
  });

  it('never starts another engine beside data it cannot open', async () => {
    await mkdir(join(settings.DATA_DIR, 'mongodb', 'WiredTiger'), { recursive: true });
    process.env.PATH = '';
    const opening = open({ REDIS_URL: urls.REDIS_URL, SERVERS_DIR: join(settings.DATA_DIR, 'servers') });
    await assert.rejects(opening, {
      code: 'server_not_found',
      message: /mongodb" holds data of MongoDB, which/,
    });
    assert.equal(existsSync(join(settings.DATA_DIR, 'secantusdb')), false);
  });

  it('reports the last log lines of a server that does not start', async () => {
    await mkdir(join(settings.DATA_DIR, 'redis'), { recursive: true });
    await writeFile(join(settings.DATA_DIR, 'redis', 'appendonly.aof'), 'no such log\n');
    await assert.rejects(open({ MONGODB_URL: urls.MONGODB_URL }), {
      code: 'redis_unavailable',
      message: /did not start: ended with 1; its log .*Bad file format/,
    });
  });
});
