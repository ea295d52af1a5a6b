import assert from 'node:assert/strict';
import { failFast, openRedis, connected, runScript } from '../../../storage/servers/redis.js';
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
