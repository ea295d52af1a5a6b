import assert from 'node:assert/strict';
import { join } from 'node:path';
import { keyContext } from '../../storage/accounts/connections.js';
import { SecretBox } from '../../storage/accounts/secret-box.js';
import type { BackupManifest } from '../../storage/backup/manifest.js';
import { openRedis, patient } from '../../storage/servers/redis.js';
import { hashPassword } from '../../storage/users/password.js';
import { adminCommands } from '../jobs/admin/run-admin.js';
import { openTestMarket, type TestMarket } from '../support/candles/market.js';
import { openTestService, type TestService } from '../support/gateway/gateway.js';
import { freshMongodbUrl, freshRedisUrl } from '../support/servers/servers.js';
import { temporaryFolder } from '../support/process/temporary-folder.js';

const [secretsKey, otherKey] = ['11', '22'].map((byte) => byte.repeat(32));
const password = 'a long password';
const questions: readonly [path: string, body: object][] = [
  ['/backend/core-line/chart', { asset: 'BTC' }],
  ['/backend/core-line/flip-intelligence', { asset: 'ETH', interval: '4h' }],
  ['/backend/analysis/trend', { asset: 'BTC', interval: '1h' }],
  ['/backend/analysis/momentum', { asset: 'ETH' }],
  ['/backend/analysis/support-resistance', { asset: 'BTC', interval: '4h' }],
];

describe('backup and restore', function () {
  this.timeout(120_000);
  const folder = temporaryFolder();
  const runCommand = adminCommands();
  let market: TestMarket;
  let userId: string;
  let env: Record<string, string>;

  before(async () => {
    market = await openTestMarket();
    const { storage, mongodbUrl } = market.service;
    const user = {
      email: 'ada@example.com',
      plan: 'free',
      passwordHash: await hashPassword(password),
    } as const;
    userId = (await storage.users.add(user)).id;
    const connection = { id: storage.connections.newId(), userId };
    const key = new SecretBox([Buffer.from(secretsKey, 'hex')]).seal('{}', keyContext(connection));
    await storage.connections.add({
      ...connection,
      exchange: 'BINANCE',
      mayTrade: false,
      key,
      createdAt: new Date(),
    });
    // Redis of the commands is not that of the node: no process is alive for them.
    env = {
      REDIS_URL: await freshRedisUrl(),
      MONGODB_URL: mongodbUrl,
      MARKET: 'csv',
      SECRETS_KEY: secretsKey,
    };
  });
  after(() => market.service.close());

  const run = (args: readonly string[], more: Record<string, string> = {}) =>
    runCommand(['backup', ...args], { folder: folder.path, env: { ...env, ...more } });
  const json = async <T>(args: readonly string[], more: Record<string, string> = {}): Promise<T> => {
    const { code, stdout, stderr } = await run([...args, '--json'], more);
    assert.equal(code, 0, stderr + stdout);
    return JSON.parse(stdout) as T;
  };
  const create = async () => {
    const backup = join(folder.path, 'one');
    const manifest = await json<BackupManifest>(['create', '--to', backup]);
    return { backup, manifest };
  };
  const answersOf = async (service: TestService) =>
    Promise.all(
      questions.map(async ([path, body]) => {
        const { status, payload } = await service.post(path, body);
        assert.equal(status, 200, JSON.stringify(payload));
        return payload as unknown;
      }),
    );

  it('brings back every answer, ends sessions and halts new entries', async () => {
    const before = await answersOf(market.service);
    const { backup, manifest } = await create();
    assert.deepEqual([manifest.consistency, manifest.sealingKeys.length], ['snapshot', 1]);

    const MONGODB_URL = await freshMongodbUrl();
    const drill = await run(['drill', '--from', backup], { MONGODB_URL });
    assert.match(
      drill.stdout,
      /^all \d+ documents are equal\nrecovery point: the backup is \d+\.\d s old\nrecovery time: checked and restored in \d+\.\d s\n$/,
    );
    const redis = openRedis(env.REDIS_URL, patient);
    await redis.mset('tidemark:limits:ada', '1', 'bull:backtest:meta', '1', 'of another program', '1');
    const { redisKeys } = await json<{ redisKeys: number }>(['restore', '--from', backup], { MONGODB_URL });
    const left = await redis.keys('*');
    redis.disconnect();
    assert.deepEqual(left, ['of another program']);
    assert.ok(redisKeys >= 2, `${redisKeys} keys`);

    const restored = await openTestService({ mongodbUrl: MONGODB_URL });
    try {
      assert.deepEqual(await answersOf(restored), before);
      const stale = await restored.post(
        '/backend/core-line/portfolio',
        {},
        { 'session-token': market.token },
      );
      assert.equal(stale.result.type, 'UNAUTHORIZED');
      const signedIn = await restored.post('/backend/login', { email: 'ada@example.com', password });
      assert.equal(signedIn.payload.user.userid, userId);
      assert.equal((await restored.storage.halts.list()).length, 1);
    } finally {
      await restored.close();
    }
  });

  it('writes nothing while a process is alive, over data, or with another SECRETS_KEY', async () => {
    const { backup } = await create();
    const refusal = async (more: Record<string, string>) => {
      const { code, stderr } = await run(['restore', '--from', backup], more);
      assert.equal(code, 1);
      return stderr;
    };
    assert.match(
      await refusal({ REDIS_URL: market.service.redisUrl }),
      /stop the service first \(running: compute /,
    );
    assert.match(
      await refusal({}),
      /^error: the database "[^"]+" holds data \(.*users.*\); .* --replace yes/,
    );
    const empty = { MONGODB_URL: await freshMongodbUrl() };
    const id = /SECRETS_KEY does not open what is sealed with key [0-9a-f]{12} \(1 secrets\)/;
    assert.match(await refusal({ ...empty, SECRETS_KEY: otherKey }), id);
    await json(['restore', '--from', backup], { ...empty, SECRETS_KEY: `${otherKey},${secretsKey}` });
    await json(['restore', '--from', backup, '--replace', 'yes'], empty);
  });
});
