import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { nodeRoles } from '../../storage/cluster/nodes.js';
import { connected, openRedis, patient } from '../../storage/servers/redis.js';
import { gatewayModule, jobsModule, withBenchService, type BenchService } from './bench-service.js';
import { printTable } from './measure.js';
import { commandsDuring } from './redis-load.js';

/** Time in which what a start leaves behind has ended. */
const settleMs = 8_000;

/** Resolves when the schedules have run, which a new database makes them do at once. */
async function firstRuns(redis: Redis, start: BenchService['start']): Promise<void> {
  const compute = await start('compute', jobsModule, ['compute'], { MARKET: 'demo' });
  const open = async () =>
    (await redis.llen('bull:schedules:active')) + (await redis.llen('bull:schedules:wait'));
  while ((await open()) > 0) await pause(1_000);
  await compute.stop();
}

/** Commands a second that each role sends to Redis while nobody asks anything, alone and beside a second of its kind. */
export async function benchIdle(seconds = 60): Promise<void> {
  const rows: string[][] = [];
  for (const role of nodeRoles) {
    await withBenchService(async ({ redisUrl, start }) => {
      const redis = openRedis(redisUrl, patient);
      await connected(redis);
      const count = async () => {
        await pause(settleMs);
        const counts = await commandsDuring(redis, () => pause(seconds * 1_000));
        counts.delete('ping');
        return [...counts].sort(([, left], [, right]) => right - left);
      };
      const startOne = () =>
        start(role, role === 'gateway' ? gatewayModule : jobsModule, role === 'gateway' ? [] : [role], {
          MARKET: 'demo',
        });
      await startOne();
      if (role === 'market') await firstRuns(redis, start);
      const one = await count();
      await startOne();
      const two = await count();
      const perSecond = (counts: typeof one) =>
        counts.reduce((total, [, times]) => total + times, 0) / seconds;
      const names = one.map(([name, times]) => `${name} ${(times / seconds).toFixed(2)}`).join(', ');
      rows.push([role, perSecond(one).toFixed(2), (perSecond(two) / 2).toFixed(2), names]);
      redis.disconnect();
    });
  }
  const head = ['role', 'commands a second', 'each of two', 'by name'];
  printTable(`Redis commands of a role in which nothing is asked, over ${seconds} s`, [head, ...rows]);
}
