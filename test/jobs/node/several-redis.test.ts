import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { ReadinessOutput } from '../../../gateway/operations/readiness.js';
import { holdAgreement } from '../../../storage/cluster/agreement.js';
import { readSettings } from '../../../storage/process/read-settings.js';
import { openRedis, patient } from '../../../storage/servers/redis.js';
import { takenServers } from '../../../storage/servers/redis-url.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { openTestService, type TestService } from '../../support/gateway/gateway.js';
import { ask, RoleChild } from '../../support/process/role-child.js';
import { until } from '../../support/process/until.js';
import { OwnServer } from '../../support/servers/own-server.js';
import { freshRedisUrl } from '../../support/servers/servers.js';

describe('several Redis', function () {
  this.timeout(120_000);
  let servers: OwnServer[];
  let service: TestService;
  let nodes: RoleChild[];
  let token: string;

  const start = (REDIS_TAKES: string) =>
    RoleChild.start('compute', {
      ...{ REDIS_URL: service.redisUrl, MONGODB_URL: service.mongodbUrl },
      ...{ METRICS_PORT: '0', REDIS_TAKES },
    });
  let fee = 0;
  /** The statuses of twelve backtests that nobody has asked for. */
  const statuses = async () => {
    const asked = Array.from({ length: 12 }, () => {
      const body = { asset: 'BTC', interval: '1h', feePercent: (fee += 0.001) };
      return ask(service.url, '/backend/core-line/backtest', body, token);
    });
    return (await Promise.all(asked)).map(({ status }) => status).sort();
  };
  const readiness = async () => {
    const answer = await fetch(`${service.url}/readyz`);
    return { status: answer.status, ...((await answer.json()) as ReadinessOutput) };
  };
  const away = (...redisAway: number[]) =>
    until(
      'the servers that are away',
      async () => JSON.stringify((await readiness()).redisAway) === JSON.stringify(redisAway),
    );
  const onEach = async <T>(read: (redis: ReturnType<typeof openRedis>) => Promise<T>): Promise<T[]> => {
    const opened = servers.map(({ url }) => openRedis(url, patient));
    try {
      return await Promise.all(opened.map(read));
    } finally {
      for (const redis of opened) redis.disconnect();
    }
  };

  before(async () => {
    servers = await Promise.all([OwnServer.open('redis'), OwnServer.open('redis')]);
    service = await openTestService({ computeNodes: 0, redisUrl: servers.map(({ url }) => url).join(' ') });
    await service.storage.candles.add({ market: 'csv', base: 'BTC', quote: 'USDT' }, randomCandles(24 * 100));
    token = await service.signIn({ operator: true });
    nodes = [await start('1'), await start('')];
  });
  after(async () => {
    await Promise.all(nodes?.map((node) => node.stop()) ?? []);
    await service?.close();
    await Promise.all(servers?.map((server) => server.close()) ?? []);
  });

  it('share the requests by their ids; the first holds all else', async () => {
    assert.deepEqual(await statuses(), Array(12).fill(200));
    const [first, second] = await onEach((redis) => redis.hkeys('tidemark:results'));
    assert.equal(first.length + second.length, 12);
    // The ids are SHA-256 as base64url; the first 32 bits decide.
    const places = (ids: string[]) =>
      new Set(ids.map((id) => Buffer.from(id, 'base64url').readUInt32BE() % 2));
    assert.deepEqual([places(first), places(second)], [new Set([0]), new Set([1])]);
    assert.deepEqual(await onEach((redis) => redis.exists('tidemark:nodes')), [1, 0]);
    const queues = await service.deps.cluster.view().then((view) => view.queues.map(({ name }) => name));
    assert.equal(new Set(queues).size, queues.length);
  });

  it('are the same, in the same order, for all processes that live; so is MARKET', async () => {
    const [first, second] = servers.map(({ url }) => url);
    const other = await freshRedisUrl();
    const started = async (urls: string[], market?: string) => {
      const opened = urls.map((url) => openRedis(url, patient));
      try {
        await (await holdAgreement(opened, market)).close();
        return null;
      } catch (error) {
        return /^settings: (.*?)(: all must|;)/.exec((error as Error).message)![1];
      } finally {
        for (const redis of opened) redis.disconnect();
      }
    };
    const differs = (place: string, of: string) =>
      `server ${place} in REDIS_URL is ${of} for a process that is alive`;
    assert.equal(await started([first, second]), null);
    assert.equal(await started([second, first]), differs('1 of 2', '2 of 2'));
    assert.equal(await started([first]), differs('1 of 1', '1 of 2'));
    assert.equal(await started([second]), differs('1 of 1', '2 of 2'));
    assert.equal(await started([first, second, other]), differs('1 of 3', '1 of 2'));
    assert.equal(await started([first, other]), differs('2 of 2', 'none of the servers'));
    // What has ended, or was refused, claims nothing.
    assert.deepEqual(await onEach((redis) => redis.hlen('tidemark:places')), [2, 2]);

    const env = { REDIS_URL: service.redisUrl, MONGODB_URL: service.mongodbUrl };
    const refused = { REDIS_URL: `${second} ${first}`, MONGODB_URL: service.mongodbUrl };
    const ended = (env: Record<string, string>) => RoleChild.start('signals', env).then(String, String);
    const signals = await RoleChild.start('signals', env);
    const [order, market] = await Promise.all([ended(refused), ended({ ...env, MARKET: 'demo' })]);
    assert.match(order, /ended with 1: error: settings: server 1 of 2 in REDIS_URL is 2 of 2 for a process/);
    assert.match(market, /ended with 1: error: settings: MARKET is demo here and csv for a process that is/);
    await signals.stop();
    assert.deepEqual(await onEach((redis) => redis.hlen('tidemark:market')), [0, 0]);
  });

  it('do not keep a process from its start while they are full', async () => {
    const full = await OwnServer.open('redis', { isConfigurable: true });
    const redis = openRedis(full.url, patient);
    try {
      await redis.config('SET', 'maxmemory', '1');
      await assert.rejects(redis.hset('a', 'b', 'c'), /OOM/);
      await (await holdAgreement([redis], 'csv')).close();
    } finally {
      redis.disconnect();
      await full.close();
    }
  });

  it('go on without one of them, whose requests are refused until it is back; /readyz says so', async () => {
    await servers[1].kill();
    await away(2);
    const { status, ready, missing } = await readiness();
    assert.deepEqual({ status, ready, missing }, { status: 200, ready: true, missing: [] });
    const { json } = await ask(new URL(nodes[1].facts.metricsUrl).origin, '/readyz');
    assert.deepEqual(json, { ready: true, missing: ['redis 2'] });
    const answered = await statuses();
    assert.deepEqual([...new Set(answered)], [200, 503]);
    await servers[1].start();
    await away();
    await until('all of them again', async () => (await statuses()).every((status) => status === 200));
  });

  it('are taken from as REDIS_TAKES says, and /readyz tells which queues nobody takes on one of them', async () => {
    await nodes.pop()!.stop();
    const names = ['analysis', 'backtest', 'scan', 'signals', 'market'];
    await until('no node', async () => isDeepStrictEqual((await readiness()).queuesWithoutNode, names));
    assert.deepEqual([takenServers([], 2), takenServers([2], 2)], [[1, 2], [2]]);
    assert.throws(() => takenServers([3], 2), {
      message: 'settings: REDIS_TAKES must name servers of REDIS_URL from 1 to 2, found "3"',
    });
    const REDIS_URL = 'redis://a  redis+sentinel://b,c/NAME';
    assert.deepEqual(readSettings({ REDIS_URL, REDIS_TAKES: '2,1,2' }, '/').REDIS_TAKES, [2, 1]);
    for (const wrong of [
      { REDIS_URL: 'redis://a b' },
      { REDIS_URL: 'redis://a redis://a' },
      { REDIS_TAKES: '0' },
    ])
      assert.throws(() => readSettings(wrong, '/'), { code: 'invalid_settings' });
  });
});
