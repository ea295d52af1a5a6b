import type { Redis } from 'ioredis';
import { cancelChannel, cancelledKey, listenChannel } from './wire.js';

/** How long a node that starts a batch can read which of its items are cancelled. */
const cancelledSeconds = 120;

/** Tells all nodes that an item of a batch is cancelled, and keeps that for a node that starts the batch later. */
export async function publishCancel(redis: Redis, batch: string, index: number): Promise<void> {
  const key = cancelledKey(batch);
  await redis
    .multi()
    .sadd(key, index)
    .expire(key, cancelledSeconds)
    .publish(cancelChannel, `${batch} ${index}`)
    .exec();
}

/** Tells the node that runs an item that its progress is wanted. A lost message is repeated by the next check. */
export function publishProgressWish(redis: Redis, itemId: string): void {
  void redis.publish(listenChannel, itemId).catch(() => undefined);
}
