import assert from 'node:assert/strict';
import type { Redis } from 'ioredis';
import {
  SharedAttemptCounter,
  type AttemptCounter,
  type AttemptEnd,
} from '../../../storage/users/attempt-counter.js';
import { LocalAttemptCounter } from '../../../storage/users/local-attempt-counter.js';
import { connected, failFast, openRedis } from '../../../storage/servers/redis.js';
import { freshRedisUrl } from '../../support/servers/servers.js';

const rules = { limit: 3, windowMs: 100_000, firstDelayMs: 10_000, longestDelayMs: 50_000 };
const start = Date.UTC(2026, 0, 1);

/** What holds for attempts wherever they are counted. */
const makers: Record<string, (redis: Redis) => AttemptCounter> = {
  SharedAttemptCounter: (redis) => new SharedAttemptCounter(redis, rules),
  LocalAttemptCounter: () => new LocalAttemptCounter(rules),
};

for (const [name, make] of Object.entries(makers)) {
  describe(name, () => {
    let redis: Redis;
    let attempts: AttemptCounter;
    before(async () => {
      redis = openRedis(await freshRedisUrl(), failFast);
      await connected(redis);
    });
    beforeEach(() => (attempts = make(redis)));
    after(() => redis.disconnect());

    let ids = 0;
    /** Begins and ends one at a moment; answers how long it must wait, 0 if it was let through. */
    const attempt = async (key: string, ending: AttemptEnd, atMs: number) => {
      const id = `${++ids}`;
      const { outcome, waitMs } = await attempts.begin(key, id, start + atMs);
      if (outcome === 'begun') await attempts.end(key, id, ending, start + atMs);
      return outcome === 'busy' ? -1 : waitMs;
    };
    const failAt = (key: string, atMs: number) => attempt(key, 'failed', atMs);

    it('delays what comes after too many failures, each time for twice as long', async () => {
      for (const at of [0, 1, 2]) assert.equal(await failAt('a', at), 0);
      assert.equal(await failAt('a', 3), 9_999);
      assert.equal(await failAt('a', 10_001), 1);
      assert.equal(await failAt('a', 10_002), 0);
      assert.equal(await failAt('a', 10_003), 19_999);
      assert.equal(await failAt('a', 30_002), 0);
      assert.equal(await failAt('a', 30_002), 40_000);
      assert.equal(await failAt('a', 70_002), 0);
      assert.equal(await failAt('a', 70_002), 50_000);
      assert.equal(await failAt('b', 70_002), 0);
    });

    it('forgets failures when their window is over, and after a delay when there were none for as long', async () => {
      for (const at of [0, 99_998, 99_999]) assert.equal(await failAt('c', at), 0);
      assert.equal(await failAt('c', 100_000), 9_999);
      assert.equal(await failAt('c', 99_999 + 10_000 + 100_000), 0);
      for (const at of [300_000, 399_999, 400_000]) assert.equal(await failAt('d', at), 0);
      assert.equal(await failAt('d', 400_001), 0);
      assert.equal(await failAt('d', 400_002), 0);
      assert.equal(await failAt('d', 400_003), 9_999);
    });

    it('forgets them with a success, and counts nothing for what was released', async () => {
      for (const at of [0, 1]) await failAt('e', at);
      assert.equal(await attempt('e', 'released', 2), 0);
      assert.equal(await attempt('e', 'succeeded', 3), 0);
      for (const at of [4, 5, 6]) assert.equal(await failAt('e', at), 0);
      assert.equal(await failAt('e', 7), 9_999);
    });

    it('lets no more be under way than may fail, and after a delay one', async () => {
      const begin = async (id: string, atMs: number) => (await attempts.begin('f', id, start + atMs)).outcome;
      assert.equal(await failAt('f', 0), 0);
      const together = await Promise.all(['1', '2', '3', '4'].map((id) => begin(id, 1)));
      assert.deepEqual(together.sort(), ['begun', 'begun', 'busy', 'busy']);
      for (const id of ['1', '2', '3', '4']) await attempts.end('f', id, 'released', start + 2);
      for (const at of [3, 4]) await failAt('f', at);
      assert.deepEqual(
        [await begin('5', 5), await begin('6', 10_004), await begin('7', 10_004)],
        ['blocked', 'begun', 'busy'],
      );
    });

    it('takes an attempt that never ended as over after a while', async () => {
      for (const id of ['1', '2', '3']) await attempts.begin('g', id, start);
      assert.equal(await failAt('g', 14_999), -1);
      assert.equal(await failAt('g', 15_000), 0);
    });

    it('returns the failures of the window', async () => {
      for (const at of [0, 1]) await failAt('h', at);
      assert.equal((await attempts.begin('h', 'x', start + 2)).failures, 2);
      assert.equal((await attempts.begin('h', 'y', start + 100_000)).failures, 0);
    });
  });
}

describe('SharedAttemptCounter', () => {
  it('keeps nothing in Redis for longer than it counts', async () => {
    const redis = openRedis(await freshRedisUrl(), failFast);
    await connected(redis);
    const attempts = new SharedAttemptCounter(redis, rules);
    await attempts.begin('a', '1', Date.now());
    await attempts.end('a', '1', 'failed', Date.now());
    const ttl = await redis.pttl('tidemark:attempts:a');
    assert.ok(ttl > 0 && ttl <= 165_000, String(ttl));
    redis.disconnect();
  });
});
