import assert from 'node:assert/strict';
import type { Finding } from '../../../storage/checks/finding.js';
import { openRedis, patient } from '../../../storage/servers/redis.js';
import { temporaryFolder } from '../../support/process/temporary-folder.js';
import { SentinelSet } from '../../support/servers/sentinel-set.js';
import { OwnServer } from '../../support/servers/own-server.js';
import { freshMongodbUrl, freshRedisUrl, serversDir } from '../../support/servers/servers.js';
import { runAdmin } from './run-admin.js';

interface Report {
  fit: boolean;
  unfit: number;
  warnings: number;
  findings: Finding[];
}

describe('admin check', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  let redis: OwnServer;
  before(async () => (redis = await OwnServer.open('redis', { isConfigurable: true })));
  after(() => redis.close());

  const check = async (env: Record<string, string>) => {
    const { code, stdout, stderr } = await runAdmin(['check', '--json'], { folder: folder.path, env });
    const report = JSON.parse(stdout) as Report;
    const found = (part: string, name: string) =>
      report.findings.find((each) => each.part === part && each.check === name);
    return { code, stdout, stderr, report, found };
  };

  const configure = async (...settings: [name: string, value: string][]) => {
    const connection = openRedis(redis.url, patient);
    for (const [name, value] of settings) await connection.config('SET', name, value);
    connection.disconnect();
  };

  it('is content with a Redis that keeps everything, and says what it cannot be content with', async () => {
    const env = { REDIS_URL: redis.url, MONGODB_URL: await freshMongodbUrl(), MARKET: 'csv' };
    const { code, report, found, stdout } = await check(env);
    for (const name of [
      'address',
      'maxmemory-policy',
      'persistence',
      'role',
      'memory',
      'connections',
      'clock',
    ])
      assert.equal(found('redis', name)?.level, 'ok', `${name}: ${stdout}`);
    assert.equal(found('mongodb', 'clock')?.level, 'ok');
    assert.equal(found('mongodb', 'role')?.level, 'ok');
    const isBeta = found('mongodb', 'version')!.found.startsWith('SecantusDB');
    assert.equal(found('mongodb', 'version')?.level, isBeta ? 'unfit' : 'ok');
    assert.deepEqual([code, report.fit], isBeta ? [1, false] : [0, true]);
    assert.equal(report.unfit, report.findings.filter(({ level }) => level === 'unfit').length);
  });

  it('finds a Redis that deletes waiting jobs and keeps nothing', async () => {
    const env = { REDIS_URL: redis.url, MONGODB_URL: await freshMongodbUrl(), MARKET: 'csv' };
    await configure(['maxmemory', '100mb'], ['maxmemory-policy', 'allkeys-lru'], ['appendonly', 'no']);
    const bad = await check(env);
    assert.equal(bad.code, 1);
    assert.deepEqual(
      ['maxmemory-policy', 'persistence'].map((name) => bad.found('redis', name)),
      [
        {
          level: 'unfit',
          part: 'redis',
          check: 'maxmemory-policy',
          found: 'allkeys-lru',
          advice:
            'set maxmemory-policy noeviction: with another policy Redis deletes waiting jobs when memory runs short',
        },
        {
          level: 'unfit',
          part: 'redis',
          check: 'persistence',
          found: 'none',
          advice: 'set appendonly yes: a restart loses all jobs',
        },
      ],
    );
    await configure(['save', '3600 1']);
    const { found } = await check(env);
    assert.equal(found('redis', 'persistence')?.found, 'no append-only file, snapshots by save 3600 1');
  });

  it('asks the sentinels that name a Redis', async () => {
    const sentinels = await SentinelSet.open();
    try {
      const env = { REDIS_URL: sentinels.url, MONGODB_URL: await freshMongodbUrl(), MARKET: 'csv' };
      const { report, stdout } = await check(env);
      const found = Object.fromEntries(
        report.findings.filter(({ part }) => part === 'redis').map((each) => [each.check, each.found]),
      );
      const { quorum, replicas, role, 'min-replicas-to-write': least } = found;
      assert.deepEqual(
        [found.sentinels, quorum, replicas, role],
        ['3 of 3 answer', '2 of 3', '1', 'primary'],
      );
      assert.equal(least, '0');
      assert.doesNotMatch(stdout, /a%20password/);
    } finally {
      await sentinels.close();
    }
  });

  it('refuses a node of a Redis Cluster in one sentence', async () => {
    const cluster = await OwnServer.open('redis', {
      isConfigurable: true,
      more: ['--cluster-enabled', 'yes'],
    });
    try {
      const { found } = await check({ REDIS_URL: cluster.url, MONGODB_URL: await freshMongodbUrl() });
      assert.match(
        found('redis', 'connection')!.found,
        /^REDIS_URL names a node of a Redis Cluster, which is not/,
      );
    } finally {
      await cluster.close();
    }
  });

  it('reports servers that do not answer, without the passwords of their URLs', async () => {
    const env = {
      REDIS_URL: 'redis://:s3cret@127.0.0.1:1',
      MONGODB_URL: 'mongodb://u:s3cret@127.0.0.1:1/tidemark',
    };
    const { code, found, stdout, stderr } = await check(env);
    assert.equal(code, 1);
    assert.equal(found('redis', 'connection')?.level, 'unfit');
    assert.match(found('redis', 'connection')!.found, /^Redis at 127\.0\.0\.1:1 did not answer/);
    assert.equal(found('mongodb', 'connection')?.level, 'unfit');
    assert.match(found('mongodb', 'connection')!.found, /ECONNREFUSED/);
    assert.doesNotMatch(stdout + stderr, /s3cret/);
  });

  it('changes nothing, and shows people a table, what to do, and a conclusion', async () => {
    const MONGODB_URL = await freshMongodbUrl();
    const REDIS_URL = await freshRedisUrl();
    const env = { REDIS_URL, MONGODB_URL, SERVERS_DIR: serversDir };
    const { stdout } = await runAdmin(['check'], { folder: folder.path, env });
    const lines = stdout.split('\n');
    assert.match(lines[0], /^level +part +check +found$/);
    assert.ok(lines.some((line) => /^warning +settings +MARKET +demo: invented candles/.test(line)));
    assert.ok(lines.includes('warning: settings MARKET: set MARKET to an exchange, or to csv'));
    assert.match(lines.at(-2)!, /^(un)?fit for production: \d+ unfit, \d+ warnings$/);
    const connection = openRedis(REDIS_URL, patient);
    assert.equal(await connection.dbsize(), 0);
    connection.disconnect();
  });
});
