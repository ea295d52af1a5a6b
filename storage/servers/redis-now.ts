import type { Redis } from 'ioredis';

const nowWith = (ms: string): string => `
local time = redis.call('TIME')
local now = time[1] * 1000 + ${ms}`;

/** The start of a Lua script that defines `now`: whole milliseconds since the epoch by the clock of Redis. */
export const luaNow = nowWith('math.floor(time[2] / 1000)');

/** The same with microseconds as a fraction, for durations that are added up. */
export const luaExactNow = nowWith('time[2] / 1000');

/** The time by the clock of Redis, in whole ms, for times that several processes compare. */
export async function redisNow(redis: Redis): Promise<number> {
  const [seconds, microseconds] = (await redis.time()).map(Number);
  return seconds * 1_000 + Math.floor(microseconds / 1_000);
}

/** The same, or the time of this process while Redis does not answer. */
export const sharedNow = (redis: Redis): Promise<number> => redisNow(redis).catch(() => Date.now());
