import type { Redis } from 'ioredis';
import { awaitRedis } from '../servers/redis.js';

/** The Redis channel on which signals that are due are announced; the message is the id of the partner. */
export const signalWakeChannel = 'tidemark:signal-wakes';

/**
 * Tells the signals workers that a partner has signals that are due: a new one, or a command. Without it they find them
 * within five seconds, so an error can be ignored. Throws `redis_unavailable`.
 */
export async function announceSignal(redis: Redis, partnerId: string): Promise<void> {
  await awaitRedis(redis.publish(signalWakeChannel, partnerId));
}
