import assert from 'node:assert/strict';
import { tellLive } from '../../../storage/live/live-events.js';
import { openStorage } from '../../../storage/index.js';
import { openRedis, patient } from '../../../storage/servers/redis.js';
import { openStreamAt } from '../../support/gateway/event-answer.js';
import { RoleChild } from '../../support/process/role-child.js';
import { freshMongodbUrl, freshRedisUrl } from '../../support/servers/servers.js';
import { until } from '../../support/process/until.js';

const mostAhead = 200;

describe('a live stream over gateways that are killed', function () {
  this.timeout(120_000);

  it('loses no event, tells none twice, and keeps their order', async () => {
    const [redisUrl, mongodbUrl] = [await freshRedisUrl(), await freshMongodbUrl()];
    const storage = openStorage(mongodbUrl, { timeoutMs: 10_000 });
    await storage.migrate();
    const { id: userId } = await storage.users.add({
      email: 'ada@example.com',
      plan: 'free',
      passwordHash: '',
    });
    const token = await storage.sessions.open(userId, 'web');
    await storage.close();
    const redis = openRedis(redisUrl, patient);
    const tell = tellLive(redis);
    const start = () => RoleChild.start('gateway', { REDIS_URL: redisUrl, MONGODB_URL: mongodbUrl });
    const [heard, told]: number[][] = [[], []];
    let isOver = false;
    /** The number of the last event that was heard. */
    let latest = (): number => 0;
    const tellAll = async () => {
      for (let n = 1; !isOver; n++) {
        await tell([
          { to: n % 2 === 0 ? 'flips' : { userId }, name: n % 2 === 0 ? 'flip' : 'signal', data: { n } },
        ]);
        told.push(n);
        // As many are kept as this for a reader that is away.
        while (n > latest() + mostAhead && !isOver) await new Promise(setImmediate);
      }
    };
    const ask = { topics: 'flips,signals', token };
    let lastId: string | undefined;
    let telling: Promise<void> | undefined;
    const gateways = await Promise.all([start(), start(), start()]);
    for (const [n, gateway] of gateways.entries()) {
      const stream = await openStreamAt(gateway.facts.url, { ...ask, lastId });
      telling ??= tellAll();
      const before = told.length;
      latest = () => Math.max(heard.at(-1) ?? 0, (stream.events.at(-1)?.data.n as number | undefined) ?? 0);
      await until('events after it was opened', () => stream.events.length > 20 && told.length > before);
      if (n === gateways.length - 1) {
        isOver = true;
        await telling;
        await until('the last event', () => stream.events.at(-1)?.data.n === told.length);
      }
      await gateway.kill();
      await stream.ended;
      lastId = stream.lastId();
      heard.push(
        ...stream.events.map(({ name, data }) => (name === 'reset' ? -1 : (data as { n: number }).n)),
      );
    }
    redis.disconnect();
    assert.deepEqual(heard, told.slice(heard[0] - 1));
  });
});
