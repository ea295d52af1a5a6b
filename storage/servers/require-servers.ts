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
      redis.once('ready', () => void redisRefusal(redis).then(end));
    });
  } finally {
    redis.disconnect();
  }
}

const oldestRedis = [6, 2] as const;
/** Between this machine and Redis. By the clock of either, limits, leases and candles are wrong when they are further apart. */
const clockApartMs = 600_000;

/** Why a Redis that answers does not serve us, or refuses this user what the service needs; null if it does. */
async function redisRefusal(redis: Redis): Promise<string | null> {
  try {
    const [, version, major, minor] =
      /redis_version:((\d+)\.(\d+)\S*)/.exec(await redis.info('server')) ?? [];
    if (
      Number(major) < oldestRedis[0] ||
      (Number(major) === oldestRedis[0] && Number(minor) < oldestRedis[1])
    )
      return `it is Redis ${version}, and ${oldestRedis.join('.')} or later is needed`;
    // The client goes on with database 0 where there is none of that number.
    if (redis.options.db) await redis.select(redis.options.db);
    await redis.eval("return redis.call('SET', KEYS[1], '', 'EX', 60)", 1, 'tidemark:writable');
    const [seconds] = await redis.time();
    await redis.subscribe('tidemark:start');
    const redisMs = Number(seconds) * 1_000;
    if (Math.abs(Date.now() - redisMs) < clockApartMs) return null;
    const [ours, its] = [Date.now(), redisMs].map((ms) => new Date(ms).toISOString());
    return `the clock of this machine says ${ours} and that of Redis ${its}: set both by NTP`;
  } catch (error) {
    const { message } = error as Error;
    if (/READONLY|MASTERDOWN/.test(message)) return 'it is a replica, which refuses writes';
    // A full disk or memory, a change of primary, a lost connection: /readyz tells that, and the service waits for its end.
    return /NOPERM|DB index/.test(message) ? message : null;
  }
}

/** Why MongoDB does not serve us; null if it does. It reads, because a ping is answered without a password. */
async function mongodbFault(url: string): Promise<string | null> {
  const { db, close } = openMongo(url, { timeoutMs: 2 * answerWithinMs });
  try {
    const { isWritablePrimary } = await db.command({ hello: 1 });
    if (isWritablePrimary === false)
      return 'it is a secondary, which refuses writes: name all members and their replicaSet';
    await openCollection(db, 'migrations').findOne({}, { projection: { _id: 1 } });
    return null;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await close();
  }
}
