import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Queue, QueueEvents } from 'bullmq';
import { connected, openRedis, patient } from '../../storage/servers/redis.js';

const noopWorker = new URL('./noop-worker.js', import.meta.url);

/** Empty jobs through BullMQ alone, a job for each request, of which its worker runs so many at a time. */
export async function openBare(redisUrl: string, concurrency: number) {
  const name = `noop${concurrency}`;
  const worker = fork(noopWorker, [name, String(concurrency)], {
    env: { ...process.env, REDIS_URL: redisUrl },
  });
  await once(worker, 'message');
  const redis = openRedis(redisUrl, patient);
  await connected(redis);
  const queue = new Queue(name, {
    connection: redis,
    defaultJobOptions: { removeOnComplete: { count: 1_000 } },
  });
  // It listens once per job that is waited for.
  queue.setMaxListeners(0);
  const eventsRedis = redis.duplicate();
  const events = new QueueEvents(name, { connection: eventsRedis });
  await events.waitUntilReady();
  const burst = async (count: number) => {
    const started = performance.now();
    const done = Array.from({ length: count }, async () => {
      const job = await queue.add('noop', {});
      await job.waitUntilFinished(events);
    });
    await Promise.all(done);
    return (count * 1000) / (performance.now() - started);
  };
  await burst(500);
  return {
    burst,
    async close() {
      await events.close();
      await queue.close();
      redis.disconnect();
      eventsRedis.disconnect();
      worker.disconnect();
    },
  };
}
