import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { endOrphans } from '../../../storage/embedded/orphans.js';
import { socketExchange } from '../../../storage/embedded/mongodb-ready.js';
import { spawnServer } from '../../../storage/embedded/spawn-server.js';
import { findMongodbServer } from '../../../storage/embedded/start-servers.js';
import { readRunFile } from '../../../storage/embedded/run-file.js';
import type { Servers, ServerSettings } from '../../../storage/embedded/servers.js';
import { openServers } from '../../../storage/embedded/open-servers.js';
import { preparePrivateFolder } from '../../../storage/embedded/private-folder.js';
import { findRedisServer } from '../../../storage/embedded/redis-server.js';
import { openRedis, patient } from '../../../storage/servers/redis.js';
import { freePort } from '../../../storage/embedded/child-server.js';
import { skip } from '../../support/harness/skip.js';
import { readMarks, writeMark } from './server-clients.js';
import { temporarySettings } from './temporary-settings.js';

/** The user "nobody" of most systems; only root can start processes as another user. */
const otherUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

describe('embedded servers', function () {
  this.timeout(120_000);

  let settings: ServerSettings;
  let remove: () => Promise<void>;
  let servers: Servers;
  const lines: string[] = [];

  const open = () =>
    openServers({
      settings,
      holder: 'service',
      name: 'npm start',
      running: 'refuse',
      report: (line) => lines.push(line),
    });
  const socket = () => decodeURIComponent(new URL(servers.redisUrl).pathname);
  const password = () => new URL(servers.mongodbUrl).password;
  const withoutCredentials = () => {
    const url = new URL(servers.mongodbUrl);
    url.username = url.password = '';
    url.searchParams.delete('authSource');
    return url.href;
  };
  /** What the commands answer to a client that connects to this URL of MongoDB. */
  const tryMongodb = async (url: string) => {
    const client = new MongoClient(url, { serverSelectionTimeoutMS: 5_000 });
    const session = { tokenHash: 'x', userId: 'an operator' };
    const attempts = {
      insert: () => client.db('tidemark').collection('sessions').insertOne(session),
      find: () => client.db('tidemark').collection('users').findOne(),
      list: () => client.db('admin').command({ listDatabases: 1 }),
      createUser: () => client.db('admin').command({ createUser: 'eve', pwd: 'eve', roles: ['root'] }),
    };
    const answers: Record<string, unknown> = {};
    for (const [name, attempt] of Object.entries(attempts))
      answers[name] = await attempt().then(
        () => 'done',
        // Where the connection failed before the command was sent, the driver has the words alone.
        ({ codeName, message }: { codeName?: string; message: string }) =>
          codeName ?? (message === 'authentication failed' ? 'AuthenticationFailed' : message),
      );
    await client.close();
    return answers;
  };

  before(async () => {
    ({ settings, remove } = await temporarySettings());
    // Another user has to get as far as the folders of the servers.
    for (const folder of [join(settings.DATA_DIR, '..')]) chmodSync(folder, 0o755);
    servers = await open();
    await writeMark(servers, 'ours');
  });
  after(async () => {
    await servers.close();
    await remove();
  });

  it('gives files and folders to their owner alone', () => {
    const modes = (folder: string): string[] =>
      readdirSync(folder).flatMap((name) => {
        const path = join(folder, name);
        const found = lstatSync(path);
        const wanted = found.isFile() ? 0o600 : 0o700;
        const wrong = (found.mode & 0o777) === wanted ? [] : [`${path} ${(found.mode & 0o777).toString(8)}`];
        return found.isDirectory() ? [...wrong, ...modes(path)] : wrong;
      });
    assert.equal(lstatSync(settings.DATA_DIR).mode & 0o777, 0o700);
    assert.deepEqual(modes(settings.DATA_DIR), []);
  });

  it('MongoDB does nothing for a client without the password or with a wrong one', async () => {
    const refused = await tryMongodb(withoutCredentials());
    assert.deepEqual(new Set(Object.values(refused)), new Set(['Unauthorized']));
    const guessed = await tryMongodb(servers.mongodbUrl.replace(password(), 'guessed'));
    assert.deepEqual(new Set(Object.values(guessed)), new Set(['AuthenticationFailed']));
    assert.deepEqual(await readMarks(servers), { redis: 'ours', mongodb: ['ours'] });
  });

  it('the user of the service may read and write in MongoDB, and not add users', async () => {
    const { insert, createUser } = await tryMongodb(servers.mongodbUrl);
    assert.deepEqual([insert, createUser], ['done', 'Unauthorized']);
  });

  it('Redis listens on no port', async () => {
    const redis = openRedis(servers.redisUrl, patient);
    assert.match(await redis.info('server'), /tcp_port:0\r/);
    redis.disconnect();
  });

  it('runs no command that leaves Redis, also where the defaults of Redis would allow it', async () => {
    const folder = join(settings.DATA_DIR, '..', 'redis-without-guards');
    const program = await findRedisServer(folder, settings.SERVERS_DIR, () => undefined);
    await preparePrivateFolder(folder);
    // From 7.0 on Redis refuses these commands by itself, before it looks at the user's permissions.
    const isGuarded = Number(/\d+/.exec(program.title)) >= 7;
    const guards = ['debug-command', 'module-command', 'protected-configs'];
    const lifted = isGuarded ? guards.flatMap((name) => [`--enable-${name}`, 'yes']) : [];
    const unguarded = { ...program, args: (port: number) => [...program.args(port), ...lifted] };
    const server = await spawnServer(unguarded, 0, join(folder, 'log'), new AbortController().signal);
    const redis = openRedis(program.url(0), patient);
    const calls: [string, ...string[]][] = [
      ['CONFIG', 'SET', 'dir', '/tmp'],
      ['CONFIG', 'GET', 'dir'],
      ['SAVE'],
      ['BGSAVE'],
      ['BGREWRITEAOF'],
      ['DEBUG', 'SLEEP', '0'],
      ['MODULE', 'LIST'],
      ['REPLICAOF', '127.0.0.1', '1'],
      ['SLAVEOF', '127.0.0.1', '1'],
      ['MIGRATE', '127.0.0.1', '1', 'key', '0', '1'],
      ['CLUSTER', 'INFO'],
      ['FAILOVER'],
      ['PSYNC', '?', '-1'],
      ['SYNC'],
      ['ACL', 'SETUSER', 'default', '+@all'],
      ['SHUTDOWN'],
    ];
    for (const [name, ...args] of calls)
      await assert.rejects(redis.call(name, ...args), /^ReplyError: NOPERM/, name);
    const script = "return redis.call('CONFIG', 'GET', 'dir')";
    await assert.rejects(redis.call('EVAL', script, '0'), /NOPERM|not allowed from script|permissions/);
    redis.disconnect();
    await server.stop();
  });

  it('shows no password in command lines, nor in what is reported', async () => {
    const shown = [servers.redis, servers.mongodb, ...lines];
    const { servers: started } = (await readRunFile(settings.DATA_DIR))!;
    for (const { pid } of started) {
      const { stdout } = spawnSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
      assert.ok(stdout.includes(settings.DATA_DIR));
      shown.push(stdout);
    }
    assert.equal(password().length, 43);
    for (const text of shown) assert.equal(text.includes(password()), false, text);
  });

  it('another user of the machine opens neither socket nor file', function () {
    if (!otherUser) skip(this, 'only root can start a process as another user: run the tests as root');
    const script = `
      const { connect } = require('node:net');
      const { readFileSync } = require('node:fs');
      const [socket, ...files] = process.argv.slice(1);
      const codes = files.map((file) => { try { return readFileSync(file).length; } catch ({ code }) { return code; } });
      connect(socket).on('connect', () => { console.log('connected', ...codes); process.exit(); })
        .on('error', ({ code }) => console.log(code, ...codes));`;
    const { DATA_DIR } = settings;
    const files = [
      'run.json',
      'redis/appendonly.aof',
      ...readdirSync(DATA_DIR).filter((f) => f.endsWith('-password')),
    ];
    const paths = files.map((file) => join(DATA_DIR, file));
    const run = (options: object) =>
      spawnSync(process.execPath, ['-e', script, socket(), ...paths], {
        encoding: 'utf8',
        cwd: '/',
        ...options,
      });
    const { stdout, stderr } = run(otherUser);
    assert.equal(
      stdout.trim(),
      Array(paths.length + 1)
        .fill('EACCES')
        .join(' '),
      stderr,
    );
    assert.match(run({}).stdout, /^connected \d+/);
  });

  it('keeps the data of a start that had neither password nor closed folders, and none of its users', async () => {
    await servers.close();
    const { DATA_DIR, SERVERS_DIR } = settings;
    const passwords = readdirSync(DATA_DIR).filter((name) => name.endsWith('-password'));
    for (const name of passwords) rmSync(join(DATA_DIR, name));
    const folders = readdirSync(DATA_DIR).filter((name) => lstatSync(join(DATA_DIR, name)).isDirectory());
    for (const name of folders) chmodSync(join(DATA_DIR, name), 0o755);
    const program = await findMongodbServer(DATA_DIR, SERVERS_DIR, () => undefined);
    for (const name of passwords) rmSync(join(DATA_DIR, name));
    const port = await freePort();
    const url = `mongodb://127.0.0.1:${port}/?directConnection=true`;
    const client = new MongoClient(url, { serverSelectionTimeoutMS: 1_000 });
    const unguarded = {
      ...program,
      args: (at: number) =>
        program.args(at).flatMap((arg) => {
          if (arg === '--auth') return [];
          // SecantusDB is started by a program that insists on the password.
          if (arg.startsWith('\nimport'))
            return ['import sys; from secantus.cli import main; sys.argv.pop(1); sys.exit(main())'];
          return [arg];
        }),
      isReady: async () => (await socketExchange({ port, host: '127.0.0.1' }, '', () => true)) !== undefined,
    };
    const earlier = await spawnServer(
      unguarded,
      port,
      join(DATA_DIR, 'earlier.log'),
      new AbortController().signal,
    );
    await client
      .db('admin')
      .command({ createUser: 'eve', pwd: 'eve', roles: [{ role: 'root', db: 'admin' }] });
    await client.close();
    await earlier.stop();
    await endOrphans([program.folder], () => undefined);
    servers = await open();
    assert.deepEqual(await readMarks(servers), { redis: 'ours', mongodb: ['ours'] });
    for (const name of folders) assert.equal(lstatSync(join(DATA_DIR, name)).mode & 0o777, 0o700, name);
    const eve = new URL(servers.mongodbUrl);
    eve.username = eve.password = 'eve';
    assert.deepEqual(new Set(Object.values(await tryMongodb(eve.href))), new Set(['AuthenticationFailed']));
    for (const name of passwords) assert.equal(lstatSync(join(DATA_DIR, name)).mode & 0o777, 0o600);
    assert.equal(readFileSync(join(DATA_DIR, passwords[0]), 'utf8').trim(), password());
  });
});
