import assert from 'node:assert/strict';
import { Queue } from 'bullmq';
import { checkStalled, takeover } from '../../../jobs/node/stalled-jobs.js';
import { Worker } from 'bullmq';
import { openStorage } from '../../../storage/index.js';
import { openRedis, patient } from '../../../storage/servers/redis.js';
import { RoleChild } from '../../support/process/role-child.js';
import { until } from '../../support/process/until.js';
import { freshMongodbUrl, freshRedisUrl } from '../../support/servers/servers.js';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';

describe('a compute node without jobs', () => {
  it('sends one script with each beat, for all its queues and its heartbeat, and nothing else', async () => {
    const [REDIS_URL, MONGODB_URL] = [await freshRedisUrl(), await freshMongodbUrl()];
    const storage = openStorage(MONGODB_URL, { timeoutMs: 10_000 });
    await storage.migrate();
    await storage.close();
    const node = await RoleChild.start('compute', { REDIS_URL, MONGODB_URL });
    const redis = openRedis(REDIS_URL, patient);
    const monitor = await redis.monitor();
    const sent: string[] = [];
    try {
      monitor.on('monitor', (_time: string, [name]: string[], source: string, database: string) => {
        if (source !== 'lua' && database === new URL(REDIS_URL).searchParams.get('db'))
          sent.push(name.toLowerCase());
      });
      // What the start sends ends before the first beat that is counted.
      await until('a beat', () => sent.includes('eval'));
      await until('another beat', () => sent.filter((name) => name === 'eval').length > 1);
      sent.length = 0;
      await until('four beats', () => sent.filter((name) => name === 'eval').length === 4, 20_000);
      const others = sent.filter((name) => name !== 'eval');
      // Once in 30 s each queue is asked, and the clock is read.
      assert.ok(others.length <= 12, others.join());
      assert.ok(!others.includes('evalsha') || others.includes('bzpopmin'), others.join());
    } finally {
      monitor.disconnect();
      redis.disconnect();
      await node.stop();
    }
  });
});

describe('checkStalled', () => {
  const context = temporaryRedis();

  it('moves a job back whose worker has died, by whichever process has the turn', async () => {
    const queue = new Queue('stalling', { connection: context.redis });
    await queue.add('job', {});
    const lost = context.another();
    const dead = new Worker('stalling', () => new Promise(() => undefined), {
      connection: lost,
      ...takeover,
    });
    dead.on('error', () => undefined);
    await until('a running job', async () => (await queue.getActiveCount()) === 1);
    // Its locks are renewed no more.
    void dead.close(true).catch(() => undefined);
    lost.disconnect();
    const ran: string[] = [];
    const workers = [1, 2].map((n) => {
      const connection = context.another();
      const run = (id: string) => Promise.resolve(ran.push(`${n} ${id}`));
      const worker = new Worker('stalling', ({ id }) => run(id!), { connection, ...takeover });
      worker.on('error', () => undefined);
      return { worker, end: checkStalled(connection, [worker]) };
    });
    try {
      await until('the job elsewhere', () => ran.length > 0, 20_000);
      assert.equal(ran.length, 1);
    } finally {
      for (const { worker, end } of workers) {
        await end();
        await worker.close();
      }
      await queue.close();
    }
  });
});
