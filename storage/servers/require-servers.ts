import { AppError } from '../../compute/model/errors.js';
import { textWithoutSecrets } from '../process/without-secrets.js';
import { openMongo } from './mongo.js';
import { openCollection } from './open-collection.js';
import { failFast, openRedis } from './redis.js';

/** A start that fails says so within five seconds, and loading the code takes one of them. */
const answerWithinMs = 3_000;

/** Throws `redis_unavailable` or `mongodb_unavailable` with one sentence about each server that does not serve us, and why. */
export async function requireServers(redisUrl: string, mongodbUrl: string): Promise<void> {
  const [redis, mongodb] = await Promise.all([redisFault(redisUrl), mongodbFault(mongodbUrl)]);
  if (redis === null && mongodb === null) return;
  const sentences = [
    ...(redis === null ? [] : [sentence('Redis', redisUrl, redis)]),
    ...(mongodb === null ? [] : [sentence('MongoDB', mongodbUrl, mongodb)]),
  ];
  throw new AppError(redis === null ? 'mongodb_unavailable' : 'redis_unavailable', sentences.join('; '));
}

const sentence = (server: 'Redis' | 'MongoDB', url: string, reason: string): string =>
  `${server} at ${textWithoutSecrets(url)} cannot be used: ${textWithoutSecrets(reason)}; ` +
  `start it, or correct ${server.toUpperCase()}_URL`;

/** Why Redis does not serve us; null if it does. A password that is refused is told at once, all else is tried again. */
async function redisFault(url: string): Promise<string | null> {
  const redis = openRedis(url, failFast);
  let last = `no answer within ${answerWithinMs / 1_000} s`;
  try {
    return await new Promise((resolve) => {
      const timer = setTimeout(() => resolve(last), answerWithinMs);
      const end = (fault: string | null) => {
        clearTimeout(timer);
        resolve(fault);
      };
      redis.on('error', ({ message }: Error) => {
        last = message;
        if (/^(WRONGPASS|NOAUTH|NOPERM|ERR AUTH)/.test(message)) end(message);
      });
      redis.once('ready', () => end(null));
    });
  } finally {
    redis.disconnect();
  }
}

/** Why MongoDB does not serve us; null if it does. It reads, because a ping is answered without a password. */
async function mongodbFault(url: string): Promise<string | null> {
  const { db, close } = openMongo(url, { timeoutMs: 2 * answerWithinMs });
  try {
    await openCollection(db, 'migrations').findOne({}, { projection: { _id: 1 } });
    return null;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await close();
  }
}
