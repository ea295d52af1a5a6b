import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { SecretBox } from '../../storage/accounts/secret-box.js';
import { nodeFault } from '../../storage/process/node-fault.js';
import { readSettings } from '../../storage/process/read-settings.js';
import { openRedis, patient } from '../../storage/servers/redis.js';
import { requireServers } from '../../storage/servers/require-servers.js';
import { CommandProcess, freePort } from '../support/process/service-process.js';
import { temporaryFolder } from '../support/process/temporary-folder.js';
import { within } from '../support/process/within.js';
import { listenLocally } from '../support/servers/listen-locally.js';
import { MongoSet } from '../support/servers/mongo-set.js';
import { OwnServer } from '../support/servers/own-server.js';
import { freshMongodbUrl, freshRedisUrl } from '../support/servers/servers.js';
import { temporaryStorage } from '../support/servers/temporary-storage.js';

type Role = 'start' | 'gateway' | 'compute' | 'market' | 'signals';

/** What every start does first, and what it says when it fails: rows of these need no process. */
const firstSteps = {
  settings: async (env: Record<string, string>) => void readSettings({ PORT: '0', MARKET: 'csv', ...env }),
  servers: (env: Record<string, string>) => requireServers(env.REDIS_URL, env.MONGODB_URL),
};
const isFirstStep = (role: string): role is keyof typeof firstSteps => role in firstSteps;

/** A fault, the role or the first step that meets it, its settings beside servers that are well, and what is said. */
type Row = [
  fault: string,
  role: Role | keyof typeof firstSteps,
  env: (folder: string) => Record<string, string>,
  says: string | RegExp,
];

const saidBy = (work: Promise<void>): Promise<string> =>
  work.then(
    () => '',
    (error: Error) => `error: ${error.message}\n`,
  );

/** Says in at most five seconds on a quiet machine what is wrong; a role that hangs is ended by the test. */
async function failureOf(role: string, env: Record<string, string>, args: string[] = []): Promise<string> {
  const started = new CommandProcess(process.execPath, [...args, 'dist/jobs/run.js', role], {
    PORT: '0',
    LOG_LEVEL: 'error',
    MARKET: 'csv',
    ...env,
  });
  assert.equal(await within('its end', started.exit, 50_000), 1, started.output);
  return started.errors;
}

describe('a start that is given both servers', () => {
  const folder = temporaryFolder();

  it('needs no program of this machine, Python and servers included', async () => {
    const started = new CommandProcess(process.execPath, ['dist/jobs/run.js', 'start'], {
      ...{ PATH: folder.path, DATA_DIR: folder.path, PORT: '0', LOG_LEVEL: 'error', MARKET: 'csv' },
      ...{ REDIS_URL: await freshRedisUrl(), MONGODB_URL: await freshMongodbUrl() },
    });
    await started.printed(/^Tidemark is ready/m);
    assert.equal(await started.interrupt(), 0);
  });
});

describe('a start that fails says why in one sentence', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  const used = temporaryStorage();
  const [away, nobody] = ['redis://:secret@127.0.0.1:1', 'mongodb://127.0.0.1:1/x'];
  const folders: string[] = [];
  let mute: Server;
  let port: string;
  let given: { REDIS_URL: string; MONGODB_URL: string };
  let locked: OwnServer;
  let lockedHost: string;
  let replica: OwnServer;
  let members: MongoSet;
  let oldRedis: Server;

  before(async () => {
    mute = createServer();
    port = String(await freePort());
    await listenLocally(mute, Number(port));
    given = { REDIS_URL: await freshRedisUrl(), MONGODB_URL: await freshMongodbUrl() };
    const lockedPort = await freePort();
    [locked, replica] = await Promise.all([
      OwnServer.open('redis', { isConfigurable: true, more: ['--port', String(lockedPort), ...users] }),
      OwnServer.open('redis', { more: ['--replicaof', '127.0.0.1', '1'] }),
    ]);
    const redis = openRedis(locked.url, patient);
    await redis.config('SET', 'requirepass', 'another');
    redis.disconnect();
    lockedHost = `127.0.0.1:${lockedPort}`;
    members = await MongoSet.open(given.MONGODB_URL);
    oldRedis = createServer((client) => {
      client.on('data', (sent) => {
        for (const [, command] of sent.toString('latin1').matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g))
          client.write(
            command.toLowerCase() === 'info'
              ? '$22\r\nredis_version:5.0.14\r\n\r\n'
              : `-ERR unknown command '${command}'\r\n`,
          );
      });
    });
    await listenLocally(oldRedis, 0);
  });
  after(async () => {
    mute?.close();
    oldRedis?.close();
    await Promise.all([locked?.close(), replica?.close(), members?.close()]);
    for (const made of folders) rmSync(made, { recursive: true });
  });

  // A user as an operator makes it: reads alone; or, by the default of Redis 7, no channels.
  const users = [
    ...['--user', 'reader', 'on', '>word', '~*', '&*', '+@read', '+@connection', '+info'],
    ...['--user', 'silent', 'on', '>word', '~*', 'resetchannels', '+@all'],
  ];
  const redisIs = (reason: string) =>
    new RegExp(`^error: Redis at \\S+ cannot be used: ${reason}; start it, or correct REDIS_URL\n$`);
  const mongodbIs = (reason: string) =>
    new RegExp(`^error: MongoDB at \\S+ cannot be used: ${reason}; start it, or correct MONGODB_URL\n$`);
  const settingsAre = (reason: string) => new RegExp(`^error: settings: ${reason}\n$`);
  const newFile = (made: string, name: string) => {
    const path = join(made, name);
    writeFileSync(path, '');
    return path;
  };

  const both = (['start', 'gateway', 'compute', 'market', 'signals'] as const).map((role): Row => [
    `${role}: both servers are away`,
    role,
    () => ({ REDIS_URL: away, MONGODB_URL: nobody }),
    'error: Redis at redis://[redacted]@127.0.0.1:1 cannot be used: connect ECONNREFUSED 127.0.0.1:1; start it, or correct ' +
      'REDIS_URL; MongoDB at mongodb://127.0.0.1:1/x cannot be used: connect ECONNREFUSED 127.0.0.1:1; start it, or correct ' +
      'MONGODB_URL\n',
  ]);
  const rows: Row[] = [
    ...both,
    ['a Redis never answers', 'servers', () => ({ REDIS_URL: `redis://127.0.0.1:${port}` }), redisIs('.+')],
    [
      'a MongoDB never answers',
      'servers',
      () => ({ MONGODB_URL: `mongodb://127.0.0.1:${port}/x` }),
      mongodbIs('.+'),
    ],
    [
      'the second of two Redis is away',
      'servers',
      () => ({ REDIS_URL: `${given.REDIS_URL} ${away}` }),
      redisIs('connect ECONNREFUSED 127.0.0.1:1'),
    ],
    [
      'no sentinel answers',
      'servers',
      () => ({ REDIS_URL: 'redis+sentinel://127.0.0.1:1,127.0.0.1:2/main' }),
      redisIs('.+'),
    ],
    [
      'Redis is no TLS server',
      'servers',
      () => ({ REDIS_URL: `rediss://:another@${lockedHost}` }),
      redisIs('.+'),
    ],
    [
      'a host is unknown',
      'servers',
      () => ({ REDIS_URL: 'redis://nowhere.invalid' }),
      redisIs('getaddrinfo (ENOTFOUND|EAI_AGAIN) nowhere.invalid'),
    ],
    [
      'Redis wants a password',
      'servers',
      () => ({ REDIS_URL: `redis://${lockedHost}` }),
      redisIs('NOAUTH .+'),
    ],
    [
      'Redis refuses the password',
      'servers',
      () => ({ REDIS_URL: `redis://:wrong@${lockedHost}` }),
      redisIs('WRONGPASS .+'),
    ],
    [
      'Redis lets its user read alone',
      'servers',
      () => ({ REDIS_URL: `redis://reader:word@${lockedHost}` }),
      redisIs("NOPERM .*'eval' command.*"),
    ],
    [
      'Redis gives its user no channels',
      'servers',
      () => ({ REDIS_URL: `redis://silent:word@${lockedHost}` }),
      redisIs('NOPERM .*channels?.*'),
    ],
    [
      'Redis has no database of that number, where data once came into another one',
      'servers',
      () => ({ REDIS_URL: `redis://:another@${lockedHost}/99` }),
      redisIs('ERR DB index is out of range'),
    ],
    [
      'Redis is too old',
      'servers',
      () => ({ REDIS_URL: `redis://127.0.0.1:${(oldRedis.address() as AddressInfo).port}` }),
      redisIs('it is Redis 5\\.0\\.14, and 6\\.2 or later is needed'),
    ],
    [
      'MongoDB is a secondary',
      'servers',
      () => {
        const secondary = new URL(given.MONGODB_URL);
        secondary.host = members.names[1];
        secondary.searchParams.set('directConnection', 'true');
        return { MONGODB_URL: secondary.href };
      },
      mongodbIs('it is a secondary, which refuses writes: name all members and their replicaSet'),
    ],
    [
      'Redis is a replica',
      'servers',
      () => ({ REDIS_URL: replica.url }),
      redisIs('it is a replica, which refuses writes'),
    ],
    [
      'settings are wrong, all of them at once',
      'start',
      () => ({ PORT: '70000', PUBLIC_URL: 'https://a.example/b', MARKET: 'moon', SECRETS_KEY: 'short' }),
      settingsAre('PORT .+; PUBLIC_URL .+ no path .+; MARKET .+; SECRETS_KEY .+'),
    ],
    [
      'a file of a secret is missing, another is empty',
      'settings',
      (made) => ({ SECRETS_KEY_FILE: '/nowhere/key', SMTP_URL_FILE: newFile(made, 'empty') }),
      settingsAre(
        'the file ".*empty" \\(SMTP_URL_FILE\\) is empty; the file "/nowhere/key" \\(SECRETS_KEY_FILE\\) cannot be read: ENOENT'.replace(
          /(.*); (.*)/,
          '(?:$1; $2|$2; $1)',
        ),
      ),
    ],
    [
      'production lacks what stands in elsewhere',
      'settings',
      () => ({ NODE_ENV: 'production', REDIS_URL: '' }),
      settingsAre('SECRETS_KEY must be set .+; REDIS_URL must be set .+; PUBLIC_URL must be set .+'),
    ],
    [
      'a node takes from a Redis that is not there',
      'compute',
      () => ({ REDIS_TAKES: '2' }),
      settingsAre('REDIS_TAKES must name servers of REDIS_URL from 1 to 1, found "2"'),
    ],
    [
      'the port is taken',
      'gateway',
      () => ({ PORT: port }),
      /^error: port \d+ on 127\.0\.0\.1 is taken; set PORT to a free one\n$/,
    ],
    [
      'metrics have the port of the gateway',
      'gateway',
      () => ({ PORT: port, METRICS_PORT: port }),
      settingsAre('PORT and METRICS_PORT must differ, both \\d+'),
    ],
    [
      'the metrics of one of its processes have the port of the gateway',
      'start',
      () => ({ PORT: '9466', METRICS_PORT: '9464' }),
      settingsAre('PORT and METRICS_PORT must differ, those of 4 processes begin at 9464, and PORT is 9466'),
    ],
    [
      'the port of metrics is taken',
      'compute',
      () => ({ METRICS_PORT: port }),
      /^error: port \d+ on 127\.0\.0\.1 is taken; set METRICS_PORT to a free one\n$/,
    ],
    [
      'the address is none of this machine',
      'start',
      () => ({ HOST: '192.0.2.1' }),
      /^error: nothing can listen on port 0 of 192\.0\.2\.1: EADDRNOTAVAIL; correct PORT or HOST\n$/,
    ],
    [
      'the data folder is below /proc, where Node hangs',
      'start',
      () => ({ DATA_DIR: '/proc/tide/mark' }),
      'error: the data folder "/proc/tide/mark" (DATA_DIR) cannot be written: ENOENT\n',
    ],
    [
      'the data folder is read-only',
      'start',
      () => ({ DATA_DIR: '/sys/tidemark' }),
      /^error: the data folder "\/sys\/tidemark" \(DATA_DIR\) cannot be written: (EPERM|EROFS|EACCES|ENOENT)\n$/,
    ],
    [
      'the data folder is a file',
      'start',
      (made) => ({ DATA_DIR: newFile(made, 'file') }),
      /^error: the data folder ".*file" \(DATA_DIR\) cannot be written: E\w+\n$/,
    ],
    [
      'the lock is a dangling link, where a start once span',
      'start',
      (made) => {
        symlinkSync('/nowhere', join(made, 'lock'));
        return {};
      },
      /^error: the lock ".*lock" is no file: remove it\n$/,
    ],
  ];

  // Most of them wait for a server for three seconds, so three run at a time.
  const inTurn = pLimit(3);
  const failures: Promise<string>[] = [];
  before(() => {
    for (const [, role, env] of rows) {
      const DATA_DIR = mkdtempSync(join(tmpdir(), 'tidemark-start-'));
      folders.push(DATA_DIR);
      const failure = inTurn(() => {
        const all = { ...given, DATA_DIR, ...env(DATA_DIR) };
        return isFirstStep(role) ? saidBy(firstSteps[role](all)) : failureOf(role, all);
      });
      failure.catch(() => undefined);
      failures.push(failure);
    }
  });
  for (const [n, [fault, role, , says]] of rows.entries())
    it(fault.includes(': ') ? fault : `${role}: ${fault}`, async () => {
      const said = await failures[n];
      if (typeof says === 'string') assert.equal(said, says);
      else assert.match(said, says);
    });

  it('MongoDB refuses the password', async () => {
    const url = new URL(given.MONGODB_URL);
    if (url.password === '') return;
    url.password = 'another';
    const said = await saidBy(requireServers(given.REDIS_URL, url.href));
    assert.match(said, mongodbIs('.*[Aa]uth.*'));
  });

  it('SECRETS_KEY is another one than that of what is stored', async () => {
    const key = randomBytes(32);
    await used.storage.partners.add('a partner', new SecretBox([key]));
    const env = { ...given, MONGODB_URL: used.url, DATA_DIR: folder.path };
    const other = randomBytes(32).toString('hex');
    assert.match(
      await failureOf('signals', { ...env, SECRETS_KEY: other }),
      /^error: SECRETS_KEY opens none of the secrets that are stored in partners: they were sealed with another key, such as [0-9a-f]{12}, .*; name that key in SECRETS_KEY\n$/,
    );
    const both = new CommandProcess(process.execPath, ['dist/jobs/run.js', 'signals'], {
      ...env,
      SECRETS_KEY: `${other},${key.toString('hex')}`,
      MARKET: 'csv',
    });
    await both.printed(/^signals is ready$/m);
    assert.equal(await both.interrupt(), 0);
  });

  it('the clock is far from that of Redis', async () => {
    const past = 'data:text/javascript,Date.now = () => 1e9';
    const said = await failureOf('compute', given, ['--import', past]);
    assert.match(
      said,
      redisIs(
        'the clock of this machine says 1970-01-12T13:46:40.000Z and that of Redis .+: set both by NTP',
      ),
    );
  });

  it('Node is too old', async () => {
    // An old Node cannot load the rest of the service: what says so must load nothing of it.
    const old = 'data:text/javascript,Object.defineProperty(process.versions, "node", { value: "18.20.4" })';
    const said = await failureOf('start', {}, ['--import', old]);
    assert.match(
      said,
      /^error: this is Node 18\.20\.4, and the service needs \^20\.19\.0 .*: install one of these\n$/,
    );
    const range = '^20.19.0 || ^22.13.0 || >=24';
    for (const [version, isIn] of [
      ...[['20.19.0', true] as const, ['20.18.3', false] as const, ['21.9.0', false] as const],
      ...[['22.13.0', true] as const, ['22.12.0', false] as const, ['23.1.0', false] as const],
      ...[['24.0.0', true] as const, ['26.1.0', true] as const],
    ])
      assert.equal(nodeFault(version, range) === undefined, isIn, version);
  });

  it('the role is unknown', async () => {
    assert.match(
      await failureOf('trader', {}),
      /^error: the role must be one of gateway, .*, found "trader"\n$/,
    );
  });
});
