import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppError } from '../../../compute/model/errors.js';
import {
  claimDataFolder,
  prepareDataFolder,
  releaseDataFolder,
  requireFreeSpace,
} from '../../../storage/embedded/data-folder.js';
import { processStart } from '../../../storage/embedded/orphans.js';
import type { ServerSettings } from '../../../storage/embedded/servers.js';
import { claimOrJoin } from '../../../storage/embedded/open-servers.js';
import { openerProcess } from './opener-process.js';
import { temporarySettings } from './temporary-settings.js';

const urls = { REDIS_URL: 'redis://127.0.0.1:1', MONGODB_URL: 'mongodb://127.0.0.1:1/tidemark' };
const service = { name: 'npm start', holder: 'service' } as const;

describe('claimDataFolder', () => {
  let settings: ServerSettings;
  let folder: string;
  let remove: () => Promise<void>;

  beforeEach(async () => {
    ({ settings, remove } = await temporarySettings(urls));
    folder = await prepareDataFolder(settings.DATA_DIR);
  });
  afterEach(async () => {
    await releaseDataFolder(folder);
    await remove();
  });

  it('gives the folder to the first process and returns its claim to the second', async () => {
    const first = await claimDataFolder(folder, service);
    const second = await claimDataFolder(folder, { name: 'admin', holder: 'command' });
    assert.deepEqual([first.claimed, second.claimed], [true, false]);
    assert.deepEqual(second.claim, first.claim);
    assert.equal(first.claim.pid, process.pid);
  });

  it('gives a released folder to the next', async () => {
    await claimDataFolder(folder, service);
    await releaseDataFolder(folder);
    assert.equal((await claimDataFolder(folder, service)).claimed, true);
  });

  it('takes over a lock whose process is gone', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const { claim } = await claimDataFolder(folder, service);
    const start = processStart(Number(child.pid));
    await writeFile(
      join(folder, 'lock'),
      JSON.stringify({ ...claim, claimId: 'child', pid: child.pid, processStart: start }),
    );
    assert.equal((await claimDataFolder(folder, service)).claimed, false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    assert.equal((await claimDataFolder(folder, service)).claimed, true);
  });

  it('takes over a lock whose process id now belongs to another process, and a lock that is no lock', async () => {
    const { claim } = await claimDataFolder(folder, service);
    await writeFile(
      join(folder, 'lock'),
      JSON.stringify({ ...claim, claimId: 'gone', processStart: 'earlier' }),
    );
    assert.equal((await claimDataFolder(folder, service)).claimed, true);
    await writeFile(join(folder, 'lock'), 'half a lo');
    assert.equal((await claimDataFolder(folder, service)).claimed, true);
  });

  it('takes no lock over whose process lives in another container, and takes it over once that is dead', async () => {
    const opener = openerProcess({ settings, ...service, running: 'refuse' });
    assert.equal((await opener.opened).ok, true);
    const lock = join(folder, 'lock');
    const claim = JSON.parse(await readFile(lock, 'utf8')) as object;
    // As another container sees it: no process here has this id and start.
    await writeFile(lock, JSON.stringify({ ...claim, pid: 1, processStart: 'unseen' }));
    assert.equal((await claimDataFolder(folder, service)).claimed, false);
    const joining = { ...service, running: 'join', report: () => undefined } as const;
    await assert.rejects(claimOrJoin(folder, joining), {
      code: 'data_folder_in_use',
      message: `the data folder "${folder}" belongs to a running Tidemark ("npm start", in another container); stop it, or set DATA_DIR to another folder`,
    });
    await opener.kill();
    assert.equal((await claimDataFolder(folder, service)).claimed, true);
    const left = (await readdir(folder)).filter((name) => name.endsWith('.sock'));
    assert.equal(left.length, 1);
  });

  it('takes over from a dead process where the path is too long for a socket', async () => {
    const deep = await prepareDataFolder(join(folder, 'x'.repeat(100)));
    const { claim } = await claimDataFolder(deep, service);
    assert.deepEqual(await readdir(deep), ['lock']);
    await writeFile(join(deep, 'lock'), JSON.stringify({ ...claim, processStart: 'earlier' }));
    assert.equal((await claimDataFolder(deep, service)).claimed, true);
  });

  it('refuses a lock that is no file, by its name', async () => {
    const lock = join(folder, 'lock');
    for (const make of [() => mkdir(lock), () => symlink('nowhere', lock)]) {
      await make();
      await assert.rejects(claimDataFolder(folder, service), {
        code: 'data_folder_in_use',
        message: `the lock "${lock}" is no file: remove it`,
      });
      await rm(lock, { recursive: true });
    }
  });

  it('takes over when the process that was taking over is gone as well', async () => {
    const { claim } = await claimDataFolder(folder, service);
    const dead = JSON.stringify({ ...claim, claimId: 'gone', processStart: 'earlier' });
    await writeFile(join(folder, 'lock'), dead);
    await writeFile(join(folder, 'lock-takeover'), dead);
    assert.equal((await claimDataFolder(folder, service)).claimed, true);
  });

  it('lets exactly one of many take over a stale lock at once', async () => {
    const { claim } = await claimDataFolder(folder, service);
    for (let round = 0; round < 20; round++) {
      await writeFile(
        join(folder, 'lock'),
        JSON.stringify({ ...claim, claimId: 'gone', processStart: 'earlier' }),
      );
      const results = await Promise.all(Array.from({ length: 20 }, () => claimDataFolder(folder, service)));
      assert.equal(results.filter(({ claimed }) => claimed).length, 1);
    }
  });

  it('lets exactly one of several processes have the folder, with and without a stale lock', async () => {
    for (const stale of [false, true]) {
      if (stale) await writeFile(join(folder, 'lock'), '{}');
      const openers = Array.from({ length: 6 }, () =>
        openerProcess({ settings, ...service, running: 'refuse' }),
      );
      const opened = await Promise.all(openers.map((opener) => opener.opened));
      await Promise.all(openers.map((opener) => opener.close()));
      const codes = opened.map((result) => (result.ok ? 'opened' : result.code)).sort();
      assert.deepEqual(codes, [...Array<string>(5).fill('data_folder_in_use'), 'opened']);
    }
  });
});

describe('prepareDataFolder', () => {
  it('names the folder that cannot be written', async () => {
    const { settings, remove } = await temporarySettings();
    await prepareDataFolder(settings.DATA_DIR);
    const file = join(settings.DATA_DIR, 'file');
    await writeFile(file, '');
    await assert.rejects(prepareDataFolder(join(file, 'data')), {
      code: 'invalid_settings',
      message: `the data folder "${join(file, 'data')}" (DATA_DIR) cannot be written: ENOTDIR`,
    });
    await remove();
  });

  it('makes the folders above it, and ends where the system makes none', async () => {
    const { settings, remove } = await temporarySettings();
    assert.match(await prepareDataFolder(join(settings.DATA_DIR, 'a/b')), /a.b$/);
    for (const path of ['/proc/tidemark', '/proc/a/b'])
      await assert.rejects(prepareDataFolder(path), {
        code: 'invalid_settings',
        message: `the data folder "${path}" (DATA_DIR) cannot be written: ENOENT`,
      });
    await remove();
  });
});

describe('requireFreeSpace', () => {
  it('names the folder, what is free and what is needed', async () => {
    const { settings, remove } = await temporarySettings();
    const folder = await prepareDataFolder(settings.DATA_DIR);
    await requireFreeSpace(folder, 'service', 1);
    const { message, code } = await requireFreeSpace(folder, 'service', 1e18).then(
      () => assert.fail(),
      (error: AppError) => error,
    );
    assert.equal(code, 'invalid_settings');
    const [, named, freeMegabytes] =
      /^the disk of the data folder "(.*)" \(DATA_DIR\) has (\d+) MB free, and a service needs 1000000000000 MB; free some, or set DATA_DIR to a folder on another disk$/.exec(
        message,
      )!;
    assert.deepEqual([named, Number(freeMegabytes) > 0], [folder, true]);
    await remove();
  });
});
