import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { QueueName } from '../../../storage/cluster/queues.js';

/** How many jobs of a queue wait or run. */
export async function openJobs(redis: Redis, name: QueueName): Promise<number> {
  const queue = new Queue(name, { connection: redis, skipWaitingForReady: true });
  const counts = await queue.getJobCounts('wait', 'prioritized', 'active');
  await queue.close();
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
