import assert from 'node:assert/strict';
import { Queue, Worker } from 'bullmq';
import { checkStalled, takeover } from '../../../jobs/node/stalled-jobs.js';
import { openStorage } from '../../../storage/index.js';
import { openRedis, patient } from '../../../storage/servers/redis.js';
import { RoleChild } from '../../support/process/role-child.js';
import { until } from '../../support/process/until.js';
import { OwnServer } from '../../support/servers/own-server.js';
import { freshMongodbUrl } from '../../support/servers/servers.js';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';

describe('a compute node without jobs', function () {
  this.timeout(60_000);

  it('sends one script with each beat, for all its queues and its heartbeat, and hardly anything else', async () => {
    const [server, MONGODB_URL] = [await OwnServer.open('redis'), await freshMongodbUrl()];
    const storage = openStorage(MONGODB_URL, { timeoutMs: 10_000 });
    await storage.migrate();
    await storage.close();
    const node = await RoleChild.start('compute', { REDIS_URL: server.url, MONGODB_URL });
    const redis = openRedis(server.url, patient);
    /** How often clients have sent each of these so far; those that scripts call have other names. */
    const sent = async () => {
      const stats = await redis.info('commandstats');
      const [beats, evalsha, bzpopmin, pings] = ['eval', 'evalsha', 'bzpopmin', 'ping'].map((name) =>
        Number(new RegExp(`^cmdstat_${name}:calls=(\\d+)`, 'm').exec(stats)?.[1] ?? 0),
      );
      return { beats, others: evalsha + bzpopmin + pings };
    };
    try {
      // What the start sends ends before the first beats.
      await until('two beats', async () => (await sent()).beats >= 2);
      const before = await sent();
      await until('four more', async () => (await sent()).beats >= before.beats + 4);
      // Each of the five queues is asked once in 30 s, by two commands.
      const others = (await sent()).others - before.others;
      assert.ok(others <= 10, `${others} other commands in four beats`);
    } finally {
      redis.disconnect();
      await node.stop();
      await server.close();
    }
  });
});

describe('checkStalled', () => {
  const context = temporaryRedis();

  it('wakes a worker for a job whose wake another one took and died', async () => {
    const queue = new Queue('unwoken', { connection: context.redis });
    const connection = context.another();
    const ran: string[] = [];
    const worker = new Worker('unwoken', ({ id }) => Promise.resolve(ran.push(id!)), {
      connection,
      ...takeover,
    });
    worker.on('error', () => undefined);
    await worker.waitUntilReady();
    const blocked = async () => String(await context.redis.client('LIST')).includes('cmd=bzpopmin');
    await until('a worker that waits', blocked);
    await context.redis
      .multi()
      .set('tidemark:stalled-turn:unwoken', '', 'PX', 1)
      .lpush(queue.toKey('wait'), 'lost')
      .hset(queue.toKey('lost'), { name: 'job', data: '{}', opts: '{}', timestamp: '1', attemptsMade: '0' })
      .exec();
    const end = checkStalled(connection, [worker]);
    try {
      await until('the job', () => ran.length > 0);
      assert.deepEqual(ran, ['lost']);
    } finally {
      await end();
      await worker.close();
      await queue.close();
    }
  });

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
      await until('the job elsewhere', () => ran.length > 0);
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
