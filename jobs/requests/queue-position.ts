import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';

/** The place of a job in its queue, 1 for the next to start; null if it does not wait there. */
export async function queuePosition(
  redis: Redis,
  queue: Pick<Queue, 'toKey'>,
  jobId: string,
): Promise<number | null> {
  // Nodes take from the tail of the list first, then from the prioritized set.
  const [length, index, rank] = await Promise.all([
    redis.llen(queue.toKey('wait')),
    redis.lpos(queue.toKey('wait'), jobId),
    redis.zrank(queue.toKey('prioritized'), jobId),
  ]);
  if (index !== null) return length - index;
  return rank === null ? null : length + rank + 1;
}
