import assert from 'node:assert/strict';
import type { Redis } from 'ioredis';
import { ResultStore } from '../../jobs/result-store.js';
import { connected, openRedis, patient } from '../../storage/redis.js';
import { freshRedisUrl } from '../support/servers.js';

describe('the claim on a question', () => {
  let redis: Redis;
  before(async () => {
    redis = openRedis(await freshRedisUrl(), patient);
    await connected(redis);
  });
  after(() => redis.disconnect());

  it("is its holder's, also when it is sent again after a lost connection, until it is given back", async () => {
    const store = new ResultStore(redis, 1_000);
    const asker = { channel: 'channel', place: { batch: 'batch', index: 0 } };
    const claim = (holder: string) => store.claim('question', holder, asker);
    assert.equal(await claim('ann'), 'mine');
    assert.equal(await claim('ann'), 'mine');
    assert.equal(await claim('bob'), 'other');
    await store.release('question', 'bob');
    assert.equal(await claim('bob'), 'other');
    await store.release('question', 'ann');
    assert.equal(await claim('bob'), 'mine');
  });
});
