/** A bare BullMQ worker that does nothing, so many jobs at a time: what a round trip through the queue costs without Tidemark. */
import { Worker } from 'bullmq';
import { connected, openRedis, patient } from '../../storage/servers/redis.js';

const redis = openRedis(process.env.REDIS_URL!, patient);
await connected(redis);
const [name, concurrency] = process.argv.slice(2);
const worker = new Worker(name, () => Promise.resolve(1), {
  connection: redis,
  concurrency: Number(concurrency),
});
await worker.waitUntilReady();
process.send!('ready');
process.on('disconnect', () => process.exit());
