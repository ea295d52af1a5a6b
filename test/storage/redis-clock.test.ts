import assert from 'node:assert/strict';
import { RedisClock } from '../../storage/redis-clock.js';
import { temporaryRedis } from '../support/temporary-redis.js';

const hourMs = 3_600_000;

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

  it('tells the time of Redis, whatever the clock of this machine says, and when it is set', async () => {
    Date.now = () => ownNow() + hourMs;
    const clock = open();
    await clock.read();
    for (const ahead of [hourMs, -hourMs]) {
      Date.now = () => ownNow() + ahead;
      const [before, now, after] = [await redisNow(), clock.now(), await redisNow()];
      assert.ok(now > before - 100 && now < after + 100, `${now - before} ms`);
    }
  });

  it('goes by this machine until it has heard of Redis, and keeps what it has heard', async () => {
    const clock = open();
    assert.ok(Math.abs(clock.now() - Date.now()) < 5);
    await clock.read();
    const known = clock.now() - performance.now();
    context.redis.disconnect();
    await clock.read();
    assert.ok(Math.abs(clock.now() - performance.now() - known) < 0.001);
  });
});
