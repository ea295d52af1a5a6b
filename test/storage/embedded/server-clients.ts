import type { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import { openRedis, patient } from '../../../storage/servers/redis.js';

interface Urls {
  redisUrl: string;
  mongodbUrl: string;
}

/** Writes one value to each server, acknowledged. */
export async function writeMark({ redisUrl, mongodbUrl }: Urls, value: string): Promise<void> {
  const redis = redisClient(redisUrl);
  await redis.set('mark', value);
  await redis.quit();
  const mongodb = await MongoClient.connect(mongodbUrl);
  await mongodb.db().collection('marks').insertOne({ value });
  await mongodb.close();
}

/** What `writeMark` left: the last value in Redis, all values in MongoDB. */
export async function readMarks({ redisUrl, mongodbUrl }: Urls) {
  const redis = redisClient(redisUrl);
  const last = await redis.get('mark');
  await redis.quit();
  const mongodb = await MongoClient.connect(mongodbUrl);
  const documents = await mongodb.db().collection('marks').find().sort({ value: 1 }).toArray();
  await mongodb.close();
  return { redis: last, mongodb: documents.map(({ value }) => String(value)) };
}

/** A client that waits for its server without a word when that is being started again. */
const redisClient = (url: string): Redis => openRedis(url, patient);
