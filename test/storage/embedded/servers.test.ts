import assert from 'node:assert/strict';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { processStart } from '../../../storage/embedded/orphans.js';
import { readRunFile } from '../../../storage/embedded/run-file.js';
import type { Servers, ServerSettings } from '../../../storage/embedded/servers.js';
import { openServers, type OpenServersOptions } from '../../../storage/embedded/open-servers.js';
import { processesOf } from '../../support/process/processes-of.js';
import { until } from '../../support/process/until.js';
import { openerProcess, type Opened } from './opener-process.js';
import { readMarks, writeMark } from './server-clients.js';
import { temporarySettings } from './temporary-settings.js';

const urls = { REDIS_URL: 'redis://127.0.0.1:1', MONGODB_URL: 'mongodb://127.0.0.1:1/tidemark' };

describe('openServers', function () {
  // The first run installs the servers.
  this.timeout(120_000);

  let settings: ServerSettings;
  let remove: () => Promise<void>;
  let reported: string[];

  const service = (given: Partial<OpenServersOptions> = {}): OpenServersOptions => ({
    settings,
    holder: 'service',
    name: 'npm start',
    running: 'refuse',
    report: (line) => reported.push(line),
    ...given,
  });
  const runFile = async () => (await readRunFile(settings.DATA_DIR))!;

  beforeEach(async () => {
    reported = [];
    ({ settings, remove } = await temporarySettings());
  });
  afterEach(() => remove());

  it('starts both servers, keeps their data from one start to the next, and leaves no process behind', async () => {
    const first = await openServers(service());
    const { servers } = await runFile();
    assert.deepEqual(
      servers.map(({ kind, pid }) => [kind, processStart(pid) !== undefined]),
      [
        ['redis', true],
        ['mongodb', true],
      ],
    );
    assert.match(first.redis, /^(Redis|Valkey) \d.* on .*redis\.sock, data in .*tidemark test-.*redis$/);
    assert.match(first.mongodb, /^(MongoDB|SecantusDB) \d.* on 127\.0\.0\.1:\d+, data in .*tidemark test-/);
    await writeMark(first, 'a');
    await first.close();
    assert.deepEqual(
      servers.map(({ pid }) => processStart(pid)),
      [undefined, undefined],
    );
    const second = await openServers(service());
    assert.deepEqual(await readMarks(second), { redis: 'a', mongodb: ['a'] });
    await second.close();
  });

  it('publishes a run file that only its owner reads, with the facts announced, and takes it back', async () => {
    const servers = await openServers(service({ settings: { ...settings, ...urls } }));
    await servers.announce({ gatewayUrl: 'http://127.0.0.1:3000' });
    const { pid, name, holder, redisUrl, mongodbUrl, gatewayUrl } = await runFile();
    assert.deepEqual(
      { pid, name, holder, redisUrl, mongodbUrl, gatewayUrl },
      {
        pid: process.pid,
        name: 'npm start',
        holder: 'service',
        redisUrl: urls.REDIS_URL,
        mongodbUrl: urls.MONGODB_URL,
        gatewayUrl: 'http://127.0.0.1:3000',
      },
    );
    assert.equal(statSync(join(settings.DATA_DIR, 'run.json')).mode & 0o777, 0o600);
    await Promise.all([servers.close(), servers.close()]);
    await servers.announce({ gatewayUrl: 'http://127.0.0.1:3001' });
    assert.deepEqual(readdirSync(settings.DATA_DIR), []);
  });

  it('claims nothing for a role or a command that is given both addresses', async () => {
    const given = { settings: { ...settings, ...urls } };
    const role = await openServers(service({ ...given, running: 'join' }));
    const command = await openServers(service({ ...given, holder: 'command' }));
    assert.deepEqual([role.redis, command.mongodb], ['Redis at REDIS_URL', 'MongoDB at MONGODB_URL']);
    assert.equal(existsSync(settings.DATA_DIR), false);
  });

  it('starts only what the settings leave open', async () => {
    const servers = await openServers(service({ settings: { ...settings, MONGODB_URL: urls.MONGODB_URL } }));
    assert.equal(servers.mongodbUrl, urls.MONGODB_URL);
    assert.deepEqual(
      (await runFile()).servers.map(({ kind }) => kind),
      ['redis'],
    );
    await servers.close();
  });

  it('joins the servers of a running service, or refuses if asked to', async () => {
    const held = await openServers(service({ settings: { ...settings, MONGODB_URL: urls.MONGODB_URL } }));
    const joined = await openServers(service({ name: 'npm run compute', running: 'join' }));
    assert.deepEqual([joined.redisUrl, joined.mongodbUrl], [held.redisUrl, held.mongodbUrl]);
    assert.equal(joined.redis, `Redis of the running instance (pid ${process.pid})`);
    await joined.close();
    assert.notEqual(await runFile(), undefined);
    await assert.rejects(openServers(service()), {
      code: 'data_folder_in_use',
      message:
        `the data folder "${settings.DATA_DIR}" belongs to a running Tidemark ("npm start", pid ${process.pid}); ` +
        'stop it, or set DATA_DIR to another folder',
    });
    await held.close();
  });

  it('gives processes that start at the same moment one pair of servers', async () => {
    const options = { settings, holder: 'service', name: 'npm run compute', running: 'join' } as const;
    const openers = Array.from({ length: 4 }, () => openerProcess(options));
    const opened = await Promise.all(openers.map((opener) => opener.opened));
    const redisUrls = opened.map((result) => result.ok && result.servers.redisUrl);
    await Promise.all(openers.map((opener) => opener.close()));
    assert.equal(redisUrls.includes(false), false);
    assert.equal(new Set(redisUrls).size, 1);
  });

  it('waits for a command that holds the folder to finish', async () => {
    const given = { settings: { ...settings, MONGODB_URL: urls.MONGODB_URL } };
    const command = await openServers(service({ ...given, holder: 'command', name: 'admin' }));
    const waiting = await new Promise<{ line: string; opening: Promise<unknown> }>((resolve) => {
      const opening: Promise<unknown> = openServers(
        service({ ...given, report: (line) => resolve({ line, opening }) }),
      ).then((servers) => servers.close());
    });
    assert.equal(waiting.line, `waiting for "admin" (pid ${process.pid}) to finish ...`);
    await command.close();
    await waiting.opening;
  });

  it('ends the servers of a holder that was killed, and loses nothing', async () => {
    const opener = openerProcess({ settings, holder: 'service', name: 'npm start', running: 'refuse' });
    const opened = (await opener.opened) as Opened & { ok: true };
    const { servers: orphans } = await runFile();
    await writeMark(opened.servers, 'b');
    await opener.kill();
    assert.equal(await readRunFile(settings.DATA_DIR), undefined);
    const next = await openServers(service());
    assert.deepEqual(
      orphans.map(({ pid }) => processStart(pid)),
      [undefined, undefined],
    );
    assert.equal(reported.filter((line) => line.startsWith('ending a server left')).length, 2);
    assert.deepEqual(await readMarks(next), { redis: 'b', mongodb: ['b'] });
    await next.close();
  });

  it('ends with a holder that was killed, even without a successor', async () => {
    const opener = openerProcess({ settings, holder: 'service', name: 'npm start', running: 'refuse' });
    await opener.opened;
    await opener.kill();
    assert.ok(processesOf(settings.DATA_DIR).length >= 2);
    await until('all ended', () => processesOf(settings.DATA_DIR).length === 0);
  });

  it('starts a killed server again at its address with its data, and updates the run file', async () => {
    const lines: string[] = [];
    const servers = await openServers(service({ report: (line) => lines.push(line) }));
    await writeMark(servers, 'c');
    const before = (await runFile()).servers;
    before.forEach(({ pid }) => process.kill(pid, 'SIGKILL'));
    // Both clients wait for their server by themselves.
    assert.deepEqual(await readMarks(servers), { redis: 'c', mongodb: ['c'] });
    assert.equal(
      lines.filter((line) =>
        /ended with SIGKILL; starting it again on (127\.0\.0\.1:\d+|.*redis\.sock) in 0.5 s/.test(line),
      ).length,
      2,
    );
    await servers.close();
  });

  it('stops while a server is being started again', async () => {
    let servers: Servers | undefined;
    const told = new Promise<string>((resolve) => {
      void openServers(service({ report: resolve })).then(async (opened) => {
        servers = opened;
        process.kill((await runFile()).servers[1].pid, 'SIGKILL');
      });
    });
    assert.match(await told, /starting it again/);
    await servers?.close();
    assert.equal(existsSync(join(settings.DATA_DIR, 'lock')), false);
  });
});
