/** A bare BullMQ worker that does nothing: what a round trip through the queue costs without Tidemark. */
import { Worker } from 'bullmq';
import { connected, openRedis, patient } from '../../storage/redis.js';

const redis = openRedis(process.env.REDIS_URL!, patient);
await connected(redis);
const worker = new Worker('noop', () => Promise.resolve(1), { connection: redis, concurrency: 50 });
await worker.waitUntilReady();
process.send!('ready');
process.on('disconnect', () => process.exit());
