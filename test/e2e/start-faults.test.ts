import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { SecretBox } from '../../storage/accounts/secret-box.js';
import { openRedis, patient } from '../../storage/servers/redis.js';
import { CommandProcess, freePort } from '../support/process/service-process.js';
import { temporaryFolder } from '../support/process/temporary-folder.js';
import { within } from '../support/process/within.js';
import { listenLocally } from '../support/servers/listen-locally.js';
import { OwnServer } from '../support/servers/own-server.js';
import { freshMongodbUrl, freshRedisUrl } from '../support/servers/servers.js';
import { temporaryStorage } from '../support/servers/temporary-storage.js';

type Role = 'start' | 'gateway' | 'compute' | 'market' | 'signals';

/** What the role says on standard error before it ends with 1, which nothing may keep it from. */
async function failureOf(role: Role, env: Record<string, string>): Promise<string> {
  const started = new CommandProcess(process.execPath, ['dist/jobs/run.js', role], {
    PORT: '0',
    LOG_LEVEL: 'error',
    MARKET: 'csv',
    ...env,
  });
  assert.equal(await within('its end', started.exit, 50_000), 1, started.output);
  return started.errors;
}

describe('a start that fails says why in one sentence', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  const used = temporaryStorage();
  let taken: Server;
  let port: string;
  let given: { REDIS_URL: string; MONGODB_URL: string };

  before(async () => {
    taken = createServer();
    port = String(await freePort());
    await listenLocally(taken, Number(port));
    given = { REDIS_URL: await freshRedisUrl(), MONGODB_URL: await freshMongodbUrl() };
  });
  after(() => taken?.close());

  for (const role of ['start', 'gateway', 'compute', 'market', 'signals'] as const)
    it(`${role}: both servers are away`, async () => {
      const away = { REDIS_URL: 'redis://:secret@127.0.0.1:1', MONGODB_URL: 'mongodb://127.0.0.1:1/x' };
      const said = await failureOf(role, { ...away, DATA_DIR: folder.path });
      assert.equal(
        said,
        'error: Redis at redis://[redacted]@127.0.0.1:1 cannot be used: connect ECONNREFUSED 127.0.0.1:1; start it, or correct ' +
          'REDIS_URL; MongoDB at mongodb://127.0.0.1:1/x cannot be used: connect ECONNREFUSED 127.0.0.1:1; start it, or correct ' +
          'MONGODB_URL\n',
      );
    });

  it('a server takes the connection and never answers', async () => {
    const mute = { REDIS_URL: `redis://127.0.0.1:${port}`, DATA_DIR: folder.path };
    const said = await failureOf('signals', { ...given, ...mute });
    assert.match(said, /^error: Redis at \S+ cannot be used: .+; start it, or correct REDIS_URL\n$/);
  });

  it('Redis or MongoDB refuses the password', async () => {
    const server = await OwnServer.open('redis', { isConfigurable: true });
    try {
      const redis = openRedis(server.url, patient);
      await redis.config('SET', 'requirepass', 'another');
      redis.disconnect();
      const said = await failureOf('signals', { ...given, REDIS_URL: server.url });
      assert.match(said, /^error: Redis at \S+ cannot be used: NOAUTH .+; start it, or correct REDIS_URL\n$/);
    } finally {
      await server.close();
    }
    const url = new URL(given.MONGODB_URL);
    if (url.password === '') return;
    url.password = 'another';
    const said = await failureOf('compute', { ...given, MONGODB_URL: url.href });
    assert.match(
      said,
      /^error: MongoDB at mongodb:\/\/\[redacted\]@\S+ cannot be used: .*[Aa]uth.*; start it, or correct MONGODB_URL\n$/,
    );
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

  it('a port is taken, or no address of this machine', async () => {
    assert.equal(
      await failureOf('gateway', { ...given, PORT: port }),
      `error: port ${port} on 127.0.0.1 is taken; set PORT to a free one\n`,
    );
    assert.equal(
      await failureOf('compute', { ...given, METRICS_PORT: port }),
      `error: port ${port} on 127.0.0.1 is taken; set METRICS_PORT to a free one\n`,
    );
    assert.match(
      await failureOf('start', { DATA_DIR: folder.path, HOST: '192.0.2.1' }),
      /^error: nothing can listen on port 0 of 192\.0\.2\.1: EADDRNOTAVAIL; correct PORT or HOST\n$/,
    );
  });

  it('the data folder is below /proc, or its lock is a dangling link', async () => {
    assert.equal(
      await failureOf('start', { DATA_DIR: '/proc/tide/mark' }),
      'error: the data folder "/proc/tide/mark" (DATA_DIR) cannot be written: ENOENT\n',
    );
    symlinkSync('/nowhere', join(folder.path, 'lock'));
    assert.equal(
      await failureOf('compute', { DATA_DIR: folder.path }),
      `error: the lock "${join(folder.path, 'lock')}" is no file: remove it\n`,
    );
  });

  it('the role is unknown', async () => {
    assert.match(
      await failureOf('trader' as Role, {}),
      /^error: the role must be one of gateway, .*, found "trader"\n$/,
    );
  });
});
