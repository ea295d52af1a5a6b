import type { Redis } from 'ioredis';
import { AppError } from '../../compute/model/errors.js';
import { textWithoutSecrets } from '../process/without-secrets.js';
import { openMongo } from './mongo.js';
import { openCollection } from './open-collection.js';
import { failFast, openRedis } from './redis.js';
import { redisUrls } from './redis-url.js';

/** A start that fails says so within five seconds, and loading the code takes one of them. */
const answerWithinMs = 3_000;

/** Throws `redis_unavailable` or `mongodb_unavailable` with one sentence about each server that does not serve us, and why. */
export async function requireServers(redisUrl: string, mongodbUrl: string): Promise<void> {
  const [mongodb, ...redis] = await Promise.all([
    faultSentence('MongoDB', mongodbUrl, mongodbFault),
    ...redisUrls(redisUrl).map((url) => faultSentence('Redis', url, redisFault)),
  ]);
  const sentences = [...redis.flat(), ...mongodb];
  if (sentences.length === 0) return;
  throw new AppError(
    redis.flat().length === 0 ? 'mongodb_unavailable' : 'redis_unavailable',
    sentences.join('; '),
  );
}

async function faultSentence(
  server: 'Redis' | 'MongoDB',
  url: string,
  ask: (url: string) => Promise<string | null>,
): Promise<string[]> {
  const reason = await ask(url);
  if (reason === null) return [];
  const where = `${server} at ${textWithoutSecrets(url)}`;
  return [
    `${where} cannot be used: ${textWithoutSecrets(reason)}; start it, or correct ${server.toUpperCase()}_URL`,
  ];
}

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
      redis.once('ready', () => void replicaFault(redis).then(end));
    });
  } finally {
    redis.disconnect();
  }
}

/** A replica refuses each write. Sentinels name a primary; a user who may not ask is taken at its word. */
const replicaFault = (redis: Redis): Promise<string | null> =>
  redis.role().then(
    ([role]) => (role === 'slave' ? 'it is a replica, which refuses writes' : null),
    () => null,
  );

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
