import type { Redis } from 'ioredis';

/** The time by the clock of Redis, in whole ms, for times that several processes compare. */
export async function redisNow(redis: Redis): Promise<number> {
  const [seconds, microseconds] = (await redis.time()).map(Number);
  return seconds * 1_000 + Math.floor(microseconds / 1_000);
}

/** The same, or the time of this process while Redis does not answer. */
export const sharedNow = (redis: Redis): Promise<number> => redisNow(redis).catch(() => Date.now());
