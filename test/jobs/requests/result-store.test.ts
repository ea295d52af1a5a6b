import assert from 'node:assert/strict';
import type { Redis } from 'ioredis';
import { ResultStore } from '../../../jobs/requests/result-store.js';
import { connected, openRedis, patient } from '../../../storage/servers/redis.js';
import { freshRedisUrl } from '../../support/servers/servers.js';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';

describe('the claim on a question', () => {
  let redis: Redis;
  before(async () => {
    redis = openRedis(await freshRedisUrl(), patient);
    await connected(redis);
  });
  after(() => redis.disconnect());

  it("is its holder's, also when it is sent again after a lost connection, until it is given back", async () => {
    const store = new ResultStore(redis, 1_000);
    const address = { channel: 'channel', position: { batch: 'batch', index: 0 } };
    const claim = (holder: string) => store.claim('question', holder, address);
    assert.equal(await claim('ann'), 'mine');
    assert.equal(await claim('ann'), 'mine');
    assert.equal(await claim('bob'), 'other');
    await store.release('question', 'bob');
    assert.equal(await claim('bob'), 'other');
    await store.release('question', 'ann');
    assert.equal(await claim('bob'), 'mine');
  });
});

describe('the room for results', () => {
  const context = temporaryRedis();
  const address = { channel: 'channel', position: { batch: 'batch', index: 0 } };
  const computed = (id: string, text: string) => ({
    ...{ id, holder: 'ann', text, keepMs: 60_000, address, timings: {} },
  });
  const kept = () => context.redis.hlen('tidemark:results');
  const bytes = async () => Number(await context.redis.get('tidemark:results:bytes'));

  it('is made a thousand results at a time, so that nobody waits long, where the limit was lowered', async () => {
    const large = new ResultStore(context.redis, 1_000_000);
    await Promise.all(Array.from({ length: 2_500 }, (_, n) => large.finish(computed(`${n}`, '"0123456"'))));
    assert.deepEqual([await kept(), await bytes()], [2_500, 2_500 * 9]);
    const small = new ResultStore(context.redis, 90);
    const left: number[] = [];
    for (const id of ['a', 'b', 'c']) {
      await small.finish(computed(id, '"0123456"'));
      left.push(await kept());
    }
    assert.deepEqual([left, await bytes()], [[1_500, 500, 10], 90]);
    assert.deepEqual(await small.read(['a', 'b', 'c']), [null, null, '"0123456"']);
  });

  it('is never taken by a result that is larger than all of it', async () => {
    const store = new ResultStore(context.redis, 90);
    await store.finish(computed('huge', '"'.repeat(91)));
    assert.deepEqual([await store.read(['huge', 'c']), await bytes()], [[null, '"0123456"'], 90]);
  });
});
