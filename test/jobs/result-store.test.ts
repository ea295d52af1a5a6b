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
    assert.equal(await store.claim('question', 'ann'), 'mine');
    assert.equal(await store.claim('question', 'ann'), 'mine');
    assert.equal(await store.claim('question', 'bob'), 'other');
    await store.release('question', 'bob');
    assert.equal(await store.claim('question', 'bob'), 'other');
    await store.release('question', 'ann');
    assert.equal(await store.claim('question', 'bob'), 'mine');
  });
});
