import type { Redis } from 'ioredis';

const readers: Record<string, (redis: Redis, key: string) => Promise<unknown>> = {
  string: (redis, key) => redis.get(key),
  hash: (redis, key) => redis.hgetall(key),
  list: (redis, key) => redis.lrange(key, 0, -1),
  set: (redis, key) => redis.smembers(key),
  zset: (redis, key) => redis.zrange(key, '0', '-1'),
  stream: (redis, key) => redis.xrange(key, '-', '+'),
};

/** Everything that lies in a Redis database, as text. */
export async function redisTexts(redis: Redis): Promise<{ key: string; text: string }[]> {
  const keys = await redis.keys('*');
  return Promise.all(
    keys.map(async (key) => {
      const type = await redis.type(key);
      // What went away meanwhile has nothing to say.
      return { key, text: type === 'none' ? '' : JSON.stringify(await readers[type](redis, key)) };
    }),
  );
}
