import assert from 'node:assert/strict';
import type { Redis } from 'ioredis';
import {
  SharedAttemptCounter,
  type AttemptCounter,
  type AttemptEnd,
} from '../../../storage/users/attempt-counter.js';
import { LocalAttemptCounter } from '../../../storage/users/local-attempt-counter.js';
import { connected, failFast, openRedis } from '../../../storage/servers/redis.js';
import { ageAttempts } from '../../support/servers/age-attempts.js';
import { freshRedisUrl } from '../../support/servers/servers.js';

const rules = { limit: 3, windowMs: 100_000, firstDelayMs: 10_000, longestDelayMs: 50_000 };

/** A counter, and how to let time pass for the attempts of a key. */
interface CounterInTime {
  attempts: AttemptCounter;
  pass: (key: string, ms: number) => Promise<void>;
}

/** What holds for attempts wherever they are counted. */
const makers: Record<string, (redis: Redis) => CounterInTime> = {
  SharedAttemptCounter: (redis) => ({
    attempts: new SharedAttemptCounter(redis, rules),
    pass: (key, ms) => ageAttempts(redis, ms, key),
  }),
  LocalAttemptCounter() {
    let now = 0;
    return {
      attempts: new LocalAttemptCounter(rules, () => now),
      pass: (_key, ms) => Promise.resolve(void (now += ms)),
    };
  },
};

for (const [name, make] of Object.entries(makers)) {
  describe(name, () => {
    let redis: Redis;
    let attempts: AttemptCounter;
    let pass: CounterInTime['pass'];
    const passed = new Map<string, number>();
    let startedAt: number;
    before(async () => {
      redis = openRedis(await freshRedisUrl(), failFast);
      await connected(redis);
    });
    beforeEach(() => {
      ({ attempts, pass } = make(redis));
      passed.clear();
      startedAt = performance.now();
    });
    after(() => redis.disconnect());

    let ids = 0;
    /** Makes it so late for a key, in ms since its first attempt. */
    const moveTo = async (key: string, atMs: number) => {
      await pass(key, atMs - (passed.get(key) ?? 0));
      passed.set(key, atMs);
    };
    /** Begins and ends one at a moment; answers how long it must wait, 0 if it was let through, -1 if others are under way. */
    const attempt = async (key: string, ending: AttemptEnd, atMs: number) => {
      await moveTo(key, atMs);
      const id = `${++ids}`;
      const { outcome, waitMs } = await attempts.begin(key, id);
      if (outcome === 'begun') await attempts.end(key, id, ending);
      return outcome === 'busy' ? -1 : waitMs;
    };
    /** The clock of Redis goes on while the test runs. */
    const failAt = async (key: string, atMs: number, expected: number) => {
      const waitMs = await attempt(key, 'failed', atMs);
      const least = expected <= 0 ? expected : expected - Math.ceil(performance.now() - startedAt);
      assert.ok(waitMs >= least && waitMs <= expected, `${waitMs}, not ${expected}`);
    };

    it('delays what comes after too many failures, each time for twice as long', async () => {
      for (const at of [0, 1, 2]) await failAt('a', at, 0);
      await failAt('a', 3, 9_999);
      await failAt('a', 4_000, 6_002);
      await failAt('a', 11_000, 0);
      await failAt('a', 11_001, 19_999);
      await failAt('a', 32_000, 0);
      await failAt('a', 32_000, 40_000);
      await failAt('a', 73_000, 0);
      await failAt('a', 73_000, 50_000);
      await failAt('b', 0, 0);
    });

    it('forgets failures when their window is over, and after a delay when there were none for as long', async () => {
      for (const at of [0, 95_000, 95_500]) await failAt('c', at, 0);
      await failAt('c', 101_000, 4_500);
      await failAt('c', 95_500 + 10_000 + 101_000, 0);
      for (const at of [0, 90_000, 101_000, 101_001, 101_002]) await failAt('d', at, 0);
      await failAt('d', 101_003, 9_999);
    });

    it('forgets them with a success, and counts nothing for what was released', async () => {
      for (const at of [0, 1]) await failAt('e', at, 0);
      assert.equal(await attempt('e', 'released', 2), 0);
      assert.equal(await attempt('e', 'succeeded', 3), 0);
      for (const at of [4, 5, 6]) await failAt('e', at, 0);
      await failAt('e', 7, 9_999);
    });

    it('lets no more be under way than may fail, and after a delay one', async () => {
      const begin = async (id: string) => (await attempts.begin('f', id)).outcome;
      await failAt('f', 0, 0);
      const together = await Promise.all(['1', '2', '3', '4'].map(begin));
      assert.deepEqual(together.sort(), ['begun', 'begun', 'busy', 'busy']);
      for (const id of ['1', '2', '3', '4']) await attempts.end('f', id, 'released');
      for (const at of [3, 4]) await failAt('f', at, 0);
      assert.equal(await begin('5'), 'blocked');
      await moveTo('f', 11_000);
      assert.deepEqual([await begin('6'), await begin('7')], ['begun', 'busy']);
    });

    it('takes an attempt that never ended as over after a while', async () => {
      for (const id of ['1', '2', '3']) await attempts.begin('g', id);
      await failAt('g', 5_000, -1);
      await failAt('g', 16_000, 0);
    });

    it('returns the failures of the window', async () => {
      for (const at of [0, 1]) await failAt('h', at, 0);
      assert.equal((await attempts.begin('h', 'x')).failures, 2);
      await moveTo('h', 101_000);
      assert.equal((await attempts.begin('h', 'y')).failures, 0);
    });
  });
}

describe('SharedAttemptCounter', () => {
  it('keeps nothing in Redis for longer than it counts', async () => {
    const redis = openRedis(await freshRedisUrl(), failFast);
    await connected(redis);
    const attempts = new SharedAttemptCounter(redis, rules);
    await attempts.begin('a', '1');
    await attempts.end('a', '1', 'failed');
    const ttl = await redis.pttl('tidemark:attempts:a');
    assert.ok(ttl > 0 && ttl <= 165_000, String(ttl));
    redis.disconnect();
  });
});
