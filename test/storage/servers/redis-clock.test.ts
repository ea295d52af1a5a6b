import assert from 'node:assert/strict';
import { RedisClock } from '../../../storage/servers/redis-clock.js';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';

const hourMs = 3_600_000;
/** Redis and this machine may be so far apart. */
const nearMs = 600_000;

describe('RedisClock', () => {
  const context = temporaryRedis();
  const ownNow = Date.now;
  const clocks: RedisClock[] = [];
  afterEach(() => {
    Date.now = ownNow;
    for (const clock of clocks.splice(0)) clock.close();
  });
  const open = () => {
    const clock = new RedisClock(context.redis);
    clocks.push(clock);
    return clock;
  };
  const redisNow = async () => {
    const [seconds, microseconds] = (await context.redis.time()).map(Number);
    return seconds * 1_000 + microseconds / 1_000;
  };

  it('returns the time of Redis, whatever the clock of this machine says, even when it is changed', async () => {
    Date.now = () => ownNow() + hourMs;
    const clock = open();
    await clock.read();
    for (const ahead of [hourMs, -hourMs]) {
      Date.now = () => ownNow() + ahead;
      const [before, now, after] = [await redisNow(), clock.now(), await redisNow()];
      assert.ok(now > before - nearMs && now < after + nearMs, `${now - before} ms`);
    }
  });

  it('uses the clock of this machine until the first reading, and keeps the offset after that', async () => {
    Date.now = () => ownNow() + hourMs;
    const aheadMs = () => clock.now() - ownNow();
    const clock = open();
    assert.ok(Math.abs(aheadMs() - hourMs) < nearMs);
    await clock.read();
    assert.ok(Math.abs(aheadMs()) < nearMs);
    /** Between which two numbers of ms the clock is ahead of the process: reading both takes a while. */
    const ahead = () => {
      const before = performance.now();
      const now = clock.now();
      return { least: now - performance.now() - 0.001, most: now - before + 0.001 };
    };
    const known = ahead();
    context.redis.disconnect();
    await clock.read();
    const kept = ahead();
    assert.ok(kept.least <= known.most && known.least <= kept.most, JSON.stringify({ known, kept }));
  });
});
