import assert from 'node:assert/strict';
import { failFast, openRedis } from '../../../storage/servers/redis.js';
import { DailyUsage } from '../../../storage/users/daily-usage.js';
import { until } from '../../support/process/until.js';
import { OwnServer } from '../../support/servers/own-server.js';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';

const evening = Date.parse('2026-11-22T23:59:59Z');
const one = { requests: 1, points: 5 };

describe('the usage of a day', () => {
  const context = temporaryRedis();
  let now = evening;
  const opened: DailyUsage[] = [];
  const open = (redis = context.redis) => {
    const usage = new DailyUsage(redis, { everyMs: 60_000, now: () => now });
    opened.push(usage);
    return usage;
  };
  after(() => Promise.all(opened.map((usage) => usage.close())));

  it('adds up over gateways, by user and by day', async () => {
    const [first, second] = [open(), open(context.another())];
    first.record('ada', one);
    first.record('ada', { requests: 0, points: 2 });
    second.record('ada', one);
    second.record('bob', one);
    await second.flush();
    assert.deepEqual(await first.today('ada'), { day: '2026-11-22', requests: 2, points: 12 });
    assert.deepEqual(await first.today('carol'), { day: '2026-11-22', requests: 0, points: 0 });
    first.record('ada', one);
    now += 2_000;
    assert.deepEqual(await first.today('ada'), { day: '2026-11-23', requests: 0, points: 0 });
    now = evening;
    assert.deepEqual(await first.today('ada'), { day: '2026-11-22', requests: 3, points: 17 });
  });

  it('sends one message for many requests, of more users than fit into one', async () => {
    const usage = open();
    for (let n = 0; n < 3_600; n++) usage.record(`user-${n % 1_200}`, one);
    await usage.flush();
    assert.deepEqual(await open().today('user-1199'), { day: '2026-11-22', requests: 3, points: 15 });
    const ttl = await context.redis.ttl('tidemark:usage:2026-11-22:user-0');
    assert.ok(ttl > 86_400 && ttl <= 2 * 86_400);
  });

  it('waits while Redis does not answer, and is not known then', async () => {
    const server = await OwnServer.open('redis');
    const redis = openRedis(server.url, failFast);
    const usage = open(redis);
    await usage.flush();
    await server.kill();
    usage.record('ada', one);
    assert.equal(await usage.today('ada'), null);
    await server.start();
    await until('Redis is known to be back', async () => (await usage.today('ada')) !== null);
    assert.deepEqual(await usage.today('ada'), { day: '2026-11-22', requests: 1, points: 5 });
    await usage.close();
    redis.disconnect();
    await server.close();
  });
});
