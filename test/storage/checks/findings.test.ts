import assert from 'node:assert/strict';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addressFindings } from '../../../storage/checks/public-url-findings.js';
import { clockFinding } from '../../../storage/checks/check-service.js';
import type { Finding } from '../../../storage/checks/finding.js';
import { diskFinding, machineFindings, memoryFinding } from '../../../storage/checks/machine-findings.js';
import { mongodbFindings, type MongodbFacts } from '../../../storage/checks/mongodb-findings.js';
import { redisFindings } from '../../../storage/checks/redis-findings.js';
import { sentinelFindings, type SentinelFacts } from '../../../storage/checks/sentinel-findings.js';
import { settingsFindings } from '../../../storage/checks/settings-findings.js';
import { readSettings } from '../../../storage/process/read-settings.js';

/** Level and finding by the name of the check. */
const byCheck = (findings: readonly Finding[]) =>
  Object.fromEntries(findings.map(({ check, level, found }) => [check, `${level}: ${found}`]));

const gb = 2 ** 30;

describe('sentinelFindings', () => {
  const sentinel = { quorum: '2', 'num-other-sentinels': '2' };
  const good: SentinelFacts = {
    sentinels: [sentinel, sentinel, sentinel],
    replicas: 1,
    minReplicasToWrite: '1',
  };
  const find = (facts: Partial<SentinelFacts>) => byCheck(sentinelFindings({ ...good, ...facts }));

  it('is content with three sentinels of which two decide, and a replica that each write needs', () => {
    assert.deepEqual(find({}), {
      sentinels: 'ok: 3 of 3 answer',
      quorum: 'ok: 2 of 3',
      replicas: 'ok: 1',
      'min-replicas-to-write': 'ok: 1',
    });
  });

  it('finds what a loss would not survive', () => {
    const cases: [facts: Partial<SentinelFacts>, check: string, found: string][] = [
      [{ sentinels: [sentinel, null, null] }, 'sentinels', 'unfit: 1 of 3 answer'],
      [{ sentinels: [sentinel, sentinel] }, 'sentinels', 'warning: 2 of 3 answer'],
      [{ sentinels: [{ quorum: '1', 'num-other-sentinels': '0' }] }, 'sentinels', 'warning: 1 of 1 answer'],
      [{ sentinels: [{ quorum: '1', 'num-other-sentinels': '0' }] }, 'quorum', 'warning: 1 of 1'],
      [{ sentinels: [sentinel, null, null] }, 'quorum', 'unfit: 2 of 3'],
      [{ replicas: 0 }, 'replicas', 'unfit: none'],
      [{ replicas: 0 }, 'min-replicas-to-write', 'unfit: 1, with 0 replicas'],
      [{ minReplicasToWrite: '0' }, 'min-replicas-to-write', 'warning: 0'],
      [{ minReplicasToWrite: null }, 'min-replicas-to-write', 'warning: unknown'],
    ];
    for (const [facts, check, found] of cases) assert.equal(find(facts)[check], found);
  });
});

describe('redisFindings', () => {
  const good = {
    ...{
      redis_version: '7.2.4',
      maxmemory_policy: 'noeviction',
      maxmemory: String(2 * gb),
      used_memory: String(gb),
    },
    ...{
      aof_enabled: '1',
      aof_last_write_status: 'ok',
      role: 'master',
      connected_clients: '40',
      maxclients: '10000',
    },
    total_system_memory: String(8 * gb),
  };
  const find = (info: Record<string, string>, save: string | null = '') =>
    byCheck(redisFindings({ info: { ...good, ...info }, save }));

  it('is content with a Redis that loses nothing', () => {
    assert.deepEqual(find({}), {
      version: 'ok: Redis 7.2.4',
      'maxmemory-policy': 'ok: noeviction',
      persistence: 'ok: append-only file',
      role: 'ok: primary',
      memory: 'ok: 1.0 GB of 2.0 GB',
      connections: 'ok: 40 of 10000',
    });
    const valkey = find({ server_name: 'valkey', valkey_version: '8.0.1', maxmemory: '0' });
    assert.equal(valkey.version, 'ok: Valkey 8.0.1');
    assert.equal(valkey.memory, 'ok: 1.0 GB of 8.0 GB, no maxmemory');
  });

  it('says what it is not told', () => {
    const figuresOf = (info: Record<string, string>) => {
      const { memory, connections } = byCheck(redisFindings({ info, save: '' }));
      return [memory, connections];
    };
    const told = { used_memory: String(gb), connected_clients: '40' };
    assert.deepEqual(figuresOf(told), ['ok: 1.0 GB, no maxmemory', 'ok: 40 of any number']);
    assert.deepEqual(figuresOf({}), ['warning: unknown', 'warning: unknown']);
  });

  it('finds what loses jobs', () => {
    const cases: [info: Record<string, string>, save: string | null, check: string, found: string][] = [
      [{ redis_version: '6.0.16' }, '', 'version', 'unfit: Redis 6.0.16'],
      [{ maxmemory_policy: 'allkeys-lru' }, '', 'maxmemory-policy', 'unfit: allkeys-lru'],
      [
        { maxmemory_policy: 'volatile-ttl', maxmemory: '0' },
        '',
        'maxmemory-policy',
        'warning: volatile-ttl, no maxmemory',
      ],
      [{ aof_enabled: '0' }, '', 'persistence', 'unfit: none'],
      [
        { aof_enabled: '0' },
        '3600 1',
        'persistence',
        'warning: no append-only file, snapshots by save 3600 1',
      ],
      [{ aof_enabled: '0' }, null, 'persistence', 'warning: no append-only file'],
      [{ aof_last_write_status: 'err' }, '', 'last write to disk', 'unfit: aof_last_write_status'],
      [{ role: 'slave' }, '', 'role', 'unfit: replica'],
      [{ used_memory: String(1.7 * gb) }, '', 'memory', 'warning: 1.7 GB of 2.0 GB'],
      [{ used_memory: String(1.95 * gb) }, '', 'memory', 'unfit: 1.9 GB of 2.0 GB'],
      [{ connected_clients: '9600' }, '', 'connections', 'unfit: 9600 of 10000'],
    ];
    for (const [info, save, check, found] of cases) assert.equal(find(info, save)[check], found);
  });
});

describe('mongodbFindings', () => {
  const good: MongodbFacts = {
    buildInfo: { version: '7.0.12' },
    hello: { setName: 'rs0', isWritablePrimary: true },
    serverStatus: {
      storageEngine: { name: 'wiredTiger', persistent: true },
      connections: { current: 20, available: 800 },
    },
    cmdLine: { parsed: {} },
    dbStats: { fsUsedSize: 30 * gb, fsTotalSize: 100 * gb },
    migrations: { pending: [], refused: [] },
    replication: { members: [1, 2, 2].map((state) => ({ state, health: 1 })) },
    oplogHours: 30,
    compatibility: { featureCompatibilityVersion: { version: '7.0' } },
  };
  const find = (facts: Partial<MongodbFacts>) => byCheck(mongodbFindings({ ...good, ...facts }));

  it('is content with the primary of a replica set', () => {
    assert.deepEqual(find({}), {
      version: 'ok: MongoDB 7.0.12',
      role: 'ok: primary',
      'replica set': 'ok: rs0',
      members: 'ok: 3 of 3 with the data',
      oplog: 'ok: covers 30.0 h',
      'feature compatibility': 'ok: 7.0',
      storage: 'ok: wiredTiger',
      journal: 'ok: on',
      disk: 'ok: 70.0 GB of 100.0 GB free',
      connections: 'ok: 20 of 820',
      migrations: 'ok: all applied',
    });
  });

  it('finds what loses data or service', () => {
    const memory = { ...good.serverStatus, storageEngine: { name: 'inMemory', persistent: false } };
    const journalOff = { parsed: { storage: { journal: { enabled: false } } } };
    const cases: [facts: Partial<MongodbFacts>, check: string, found: string][] = [
      [{ buildInfo: { version: '4.2.24' } }, 'version', 'unfit: MongoDB 4.2.24'],
      [{ buildInfo: { version: '5.0.31' } }, 'version', 'warning: MongoDB 5.0.31'],
      [{ hello: { setName: 'rs0', isWritablePrimary: false } }, 'role', 'unfit: not a primary'],
      [{ hello: { isWritablePrimary: true } }, 'replica set', 'warning: none'],
      [{ serverStatus: memory }, 'storage', 'unfit: inMemory, in memory'],
      [{ cmdLine: journalOff }, 'journal', 'unfit: off'],
      [{ dbStats: { fsUsedSize: 96 * gb, fsTotalSize: 100 * gb } }, 'disk', 'unfit: 4.0 GB of 100.0 GB free'],
      [
        { serverStatus: { ...good.serverStatus, connections: { current: 82, available: 18 } } },
        'connections',
        'warning: 82 of 100',
      ],
      [{ replication: { members: [{ state: 1, health: 1 }] } }, 'members', 'warning: 1 of 1 with the data'],
      [
        { replication: { members: [1, 2, 8].map((state) => ({ state, health: state === 8 ? 0 : 1 })) } },
        'members',
        'warning: 2 of 3 with the data',
      ],
      [{ oplogHours: 3.25 }, 'oplog', 'warning: covers 3.3 h'],
      [
        { compatibility: { featureCompatibilityVersion: { version: '6.0' } } },
        'feature compatibility',
        'warning: 6.0, of MongoDB 7.0.12',
      ],
      [{ migrations: { pending: ['2'], refused: [] } }, 'migrations', 'ok: the next start applies 2'],
      [{ migrations: { pending: [], refused: ['9'] } }, 'migrations', 'unfit: unknown: 9'],
    ];
    for (const [facts, check, found] of cases) assert.equal(find(facts)[check], found);
  });

  it('says what it cannot see', () => {
    const { buildInfo, hello } = good;
    assert.deepEqual(byCheck(mongodbFindings({ buildInfo, hello })).storage, 'warning: unknown');
  });
});

describe('clockFinding', () => {
  const levelAt = (sentAtMs: number, receivedAtMs = sentAtMs) => {
    const { level, found } = clockFinding('redis', { sentAtMs, timeMs: 100_000, receivedAtMs });
    return `${level}: ${found}`;
  };

  it('takes the way there and back for no difference', () => {
    assert.equal(levelAt(60_000, 140_000), 'ok: agrees with this process');
    assert.equal(levelAt(100_900), 'ok: agrees with this process');
  });

  it('says who is ahead, and by how much', () => {
    assert.equal(levelAt(102_000), 'warning: this process is 2.0 s ahead of it');
    assert.equal(levelAt(60_000, 61_000), 'unfit: this process is 39.0 s behind it');
  });
});

describe('addressFindings', () => {
  it('shows no password, and asks for one outside of this machine', () => {
    assert.deepEqual(byCheck(addressFindings('redis', 'redis://:s3cret@127.0.0.1:6379/1', true)), {
      address: 'ok: redis://[redacted]@127.0.0.1:6379/1',
    });
    assert.deepEqual(byCheck(addressFindings('redis', 'redis://cache.example.com:6379', true)), {
      address: 'ok: redis://cache.example.com:6379',
      password: 'warning: none in the URL',
      encryption: 'warning: none',
    });
    assert.equal(
      byCheck(addressFindings('redis', 'redis://default@cache.example.com:6379', true)).password,
      'warning: none in the URL',
    );
    const url = 'mongodb://u:s3cret@a.example.com:27017,b.example.com/tidemark?tls=true';
    assert.deepEqual(byCheck(addressFindings('mongodb', url, true)), {
      address: 'ok: mongodb://[redacted]@a.example.com:27017,b.example.com/tidemark?tls=true',
      password: 'ok: in the URL',
      encryption: 'ok: TLS',
    });
  });

  it('says of a server that was found or started that it is for this machine', () => {
    const [finding, ...rest] = addressFindings('mongodb', 'mongodb://127.0.0.1:4711/tidemark', false);
    assert.deepEqual(
      [finding.level, finding.found],
      ['warning', 'mongodb://127.0.0.1:4711/tidemark, found or started here'],
    );
    assert.deepEqual(rest, []);
    assert.equal(addressFindings('redis', 'unix:///run/redis.sock', false).length, 1);
    assert.equal(addressFindings('mongodb', 'mongodb://%2Frun%2Fmongod.sock/tidemark', true).length, 1);
  });
});

describe('machine and settings', () => {
  it('finds a disk that fills up, and threads that take more memory than there is', () => {
    const levels = [500 * gb, 4 * gb, gb / 2].map((free) => diskFinding(free, 1_000 * gb, '/data').level);
    assert.deepEqual(levels, ['ok', 'warning', 'unfit']);
    const memory = { THREADS: 8, THREAD_MEMORY_MB: 512, CANDLE_CACHE_MB: 256 };
    assert.equal(memoryFinding(memory, 8 * gb).level, 'ok');
    assert.equal(memoryFinding(memory, 4 * gb).level, 'warning');
  });

  it('is not content with a data folder that is needed and cannot be written', async () => {
    const file = fileURLToPath(import.meta.url);
    const settings = { ...readSettings({}, '/'), DATA_DIR: join(file, 'data') };
    assert.equal(byCheck(await machineFindings(settings)).folder, `unfit: ${file}/data cannot be written`);
    const given = {
      REDIS_URL: 'redis://a',
      MONGODB_URL: 'mongodb://a',
      SECRETS_KEY: 'k',
      SMTP_URL: 'smtp://a',
    };
    assert.equal(byCheck(await machineFindings({ ...settings, ...given, MARKET: 'csv' })).folder, undefined);
  });

  it('warns of the demo market and of a key that only one machine has', () => {
    const good = {
      MARKET: 'binance',
      SECRETS_KEY: 'x',
      DATA_DIR: '/d',
      LIVE_TRADING: 'off',
      MONGODB_URL: '',
      SMTP_URL: 'smtps://mail.example.com',
      PUBLIC_URL: 'https://tidemark.example',
    } as const;
    assert.deepEqual(byCheck(settingsFindings(good)), {
      MARKET: 'ok: binance',
      SECRETS_KEY: 'ok: set',
      LIVE_TRADING: 'ok: off',
      PUBLIC_URL: 'ok: https://tidemark.example',
      SMTP_URL: 'ok: set',
    });
    const levels = settingsFindings({ ...good, MARKET: 'demo', SECRETS_KEY: '' }).map(({ level }) => level);
    assert.deepEqual(levels, ['warning', 'warning', 'ok', 'ok', 'ok']);
    assert.equal(
      byCheck(settingsFindings({ ...good, SMTP_URL: '' })).SMTP_URL,
      'warning: empty: mails to users are files in /d/mail',
    );
    assert.equal(
      byCheck(settingsFindings({ ...good, PUBLIC_URL: '' })).SMTP_URL,
      'warning: set, but links in mails lead to this machine',
    );
    const publicUrl = (PUBLIC_URL: string) => byCheck(settingsFindings({ ...good, PUBLIC_URL })).PUBLIC_URL;
    assert.equal(publicUrl(''), 'warning: empty: apps that connect are told the address of this machine');
    assert.equal(
      publicUrl('http://tidemark.example'),
      'warning: http://tidemark.example: passwords and tokens are sent without encryption',
    );
  });

  it('finds live trading unfit on an embedded database', () => {
    const live = { MARKET: 'binance', SECRETS_KEY: 'x', DATA_DIR: '/d', LIVE_TRADING: 'on' } as const;
    const mail = { SMTP_URL: '', PUBLIC_URL: '' };
    const levelWith = (MONGODB_URL: string) =>
      settingsFindings({ ...live, ...mail, MONGODB_URL }).find(({ check }) => check === 'LIVE_TRADING')!
        .level;
    assert.deepEqual(['', 'mongodb://db/tidemark'].map(levelWith), ['unfit', 'ok']);
  });
});
