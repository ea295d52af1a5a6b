import type { Redis } from 'ioredis';
import { connected, openRedis, patient } from '../../../storage/servers/redis.js';
import { freshRedisUrl } from './servers.js';

/** Connections to an emptied Redis database that is there for the suite; call it in `describe`. */
export function temporaryRedis(): { readonly redis: Redis; another(): Redis } {
  const opened: Redis[] = [];
  let url: string;
  const another = () => {
    const redis = openRedis(url, patient);
    opened.push(redis);
    return redis;
  };
  before(async () => {
    url = await freshRedisUrl();
    await connected(another());
  });
  after(() => opened.forEach((redis) => redis.disconnect()));
  return {
    get redis() {
      return opened[0];
    },
    another,
  };
}
