import assert from 'node:assert/strict';
import { failFast, openRedis, connected, runScript } from '../../../storage/servers/redis.js';
import { sentinelAddress } from '../../../storage/servers/redis-url.js';
import { freshRedisUrl } from '../../support/servers/servers.js';

describe('a Redis whose disk is full', () => {
  it('is called that, while another refusal stays what it is', async () => {
    const redis = openRedis(await freshRedisUrl(), failFast);
    await connected(redis);
    const refuse = (text: string) => runScript(redis, `return redis.error_reply(ARGV[1])`, 'key', [text]);
    // As Redis 6.2 answers a write after its append-only file could not grow.
    await assert.rejects(refuse('MISCONF Errors writing to the AOF file: No space left on device'), {
      code: 'redis_unavailable',
      message:
        'the disk of Redis is full: it takes no jobs until there is room; what is only read is answered',
    });
    await assert.rejects(refuse('WRONG it is'), { name: 'ReplyError' });
    redis.disconnect();
  });
});

describe('a Redis that has become a replica', () => {
  it('is unavailable, and the connection is made anew', async () => {
    const redis = openRedis(await freshRedisUrl(), failFast);
    await connected(redis);
    const anew = new Promise<void>((resolve) => redis.once('ready', resolve));
    const write = runScript(redis, `return redis.error_reply(ARGV[1])`, 'key', [
      "READONLY You can't write against a read only replica.",
    ]);
    await assert.rejects(write, { code: 'redis_unavailable' });
    await anew;
    redis.disconnect();
  });
});

describe('sentinelAddress', () => {
  const common = { sentinelCommandTimeout: 1_000 };

  it('reads hosts, name, credentials and database', () => {
    assert.deepEqual(sentinelAddress('redis+sentinel://ada:p%40ss@s1:26380,s2,[::1]:7/main?db=3'), {
      sentinels: [
        { host: 's1', port: 26_380 },
        { host: 's2', port: 26_379 },
        { host: '::1', port: 7 },
      ],
      ...{ name: 'main', db: 3, username: 'ada', password: 'p@ss', ...common },
    });
    assert.deepEqual(sentinelAddress('rediss+sentinel://:x:y@s/main?sentinelPassword=z'), {
      ...{ sentinels: [{ host: 's', port: 26_379 }], name: 'main', db: 0, password: 'x:y', ...common },
      ...{ sentinelPassword: 'z', tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true },
    });
  });

  it('takes no other form', () => {
    for (const url of [
      'redis://h:1',
      'redis+sentinel://h:1',
      'redis+sentinel://h:a/main',
      'redis+sentinel:///main',
    ])
      assert.equal(sentinelAddress(url), undefined);
  });
});
